#include "base/random.h"

#include "unit.h"

START_TEST(known_answers)
{
	uint64_t state = 42;

	ck_assert(random_next(&state) == 0xbdd732262feb6e95);
	ck_assert(random_next(&state) == 0x28efe333b266f103);
	ck_assert(random_next(&state) == 0x47526757130f9f52);
}
END_TEST

UNIT_MAIN("random", known_answers)
