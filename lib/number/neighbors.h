/* neighbors: how neighbouring data sets differ. */
#pragma once

enum neighbors {
	NEIGHBORS_ADD_REMOVE,	/* one record more or less */
	NEIGHBORS_SWAP		/* a record is replaced: n is public */
};
