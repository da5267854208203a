/* neighbors: how neighbouring data sets differ. */
#ifndef NEIGHBORS_H
#define NEIGHBORS_H

enum neighbors {
	NEIGHBORS_ADD_REMOVE,	/* one record more or less */
	NEIGHBORS_SWAP		/* a record is replaced: n is public */
};

#endif
