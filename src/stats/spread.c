#include "spread.h"

void
spread_add(struct spread *spread, double value)
{
	double distance = value - spread->mean;

	spread->count++;
	spread->mean += distance / (double)spread->count;
	spread->squares += distance * (value - spread->mean);
}

double
spread_variance(const struct spread *spread)
{
	return spread->count < 2 ? 0 :
	       spread->squares / (double)(spread->count - 1);
}
