/*
 * print: a plan as canonical text.
 *
 * Parsing that text gives a plan that says the same. One command a line,
 * blocks indented by a tab, every knob on the step or command that has it,
 * words quoted only where they must be.
 */
#ifndef FORKLOAD_LANG_PRINT_H
#define FORKLOAD_LANG_PRINT_H

#include "base/strbuf.h"
#include "lang/plan.h"

void plan_print(const struct plan *plan, const struct vocabulary *vocabulary,
                struct strbuf *out);

/* text as one word of the language, quoted where it must be. */
void print_word(const char *text, struct strbuf *out);

#endif
