/*
 * The text of --metric under random bytes: what is accepted can be freed and
 * keeps its promises.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tool/metric_spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct metric_spec s;
	char *text = malloc(size + 1);

	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (metric_parse(text, &s)) {
		size_t columns = s.columns == NULL ? 0 : strlen(s.columns);
		size_t i;

		if (columns > size || (s.file != NULL &&
		    strlen(s.file) > size))
			abort();
		if (s.bend != METRIC_PLAIN && rational_sign(s.t) <= 0)
			abort();
		for (i = 0; i < s.dims && s.weight != NULL; i++)
			if (s.weight[i].num < 0 || s.weight[i].den < 0)
				abort();
		metric_spec_free(&s);
	} else if (s.wrong == NULL)
		abort();
	free(text);
	return 0;
}
