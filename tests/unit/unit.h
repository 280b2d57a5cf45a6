/*
 * unit: what every unit test file shares.
 *
 * A file is one program: its tests (START_TEST of libcheck) and, at its end,
 * UNIT_MAIN("module", test_one, test_two).
 */
#ifndef FORKLOAD_UNIT_H
#define FORKLOAD_UNIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#define UNIT_MAIN(module, ...)                                              \
int                                                                         \
main(void)                                                                  \
{                                                                           \
	const TTest *const tests[] = { __VA_ARGS__ };                       \
	Suite *suite = suite_create(module);                                \
	TCase *tcase = tcase_create(module);                                \
	SRunner *runner;                                                    \
	int failed;                                                         \
                                                                            \
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)       \
		tcase_add_test(tcase, tests[i]);                            \
	tcase_set_timeout(tcase, 60);                                       \
	suite_add_tcase(suite, tcase);                                      \
	runner = srunner_create(suite);                                     \
	srunner_run_all(runner, CK_NORMAL);                                 \
	failed = srunner_ntests_failed(runner);                             \
	srunner_free(runner);                                               \
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;                        \
}

#endif
