/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a host, in memory: names as a tree of nodes, contents in a file that has
 * no name.  A capture is read into one and answers from it; recording fills one.  Links are
 * followed here, within the root, HOST_STORE_LINKS at most.
 *
 * A node is what stands at a path with no link in it.  What was not asked there is not
 * known (-ENOMEDIUM, "not captured"), and what was asked answers as it did then.  Without an
 * index (host_index.h) a store is a plain tree: each folder holds all that there is.
 */
#ifndef CHECKS_HOST_HOST_STORE_H
#define CHECKS_HOST_HOST_STORE_H

#include "host_source.h"

/* As many as the kernel follows (MAXSYMLINKS). */
#define HOST_STORE_LINKS 40
/* With what follows, less than 64 MB of memory whatever a stranger's capture holds. */
#define HOST_STORE_NODES_MAX 500000
#define HOST_STORE_NAMES_MAX (12u << 20)
#define HOST_STORE_NAME_MAX  255
#define HOST_STORE_BYTES_MAX (512ull << 20)

/* What a node is known to be. */
enum host_state {
	HOST_STATE_NONE, /* nobody asked */
	HOST_STATE_ABSENT,
	HOST_STATE_BLIND, /* asking says @error */
	HOST_STATE_NAME,
	HOST_STATE_FILE,
	HOST_STATE_DIR,
	HOST_STATE_LINK,
	HOST_STATE_OTHER,
};

struct host_node {
	uint32_t parent, next;	 /* @next: with the same hash */
	uint32_t child, sibling; /* 0: none, since no node has the root for a sibling */
	uint32_t name;
	uint8_t state;
	bool is_listed : 1; /* its children are all there are */
	bool is_named : 1;  /* the list of its folder has it, whatever its state */
	bool was_read : 1, was_listed : 1;
	bool is_in_root : 1; /* its content is in a file below the root, not in the store */
	int16_t error, read_error, list_error; /* the last two: if it was read, listed */
	/* Of a file that was read: where its content is; of a link: its target. */
	uint32_t len;
	uint64_t at;
};

struct host_store;

#define HOST_STORE_ROOT 0u

/* Becomes a plain tree without an index; host_store_set_index() says that there is one. */
int host_store_new(struct host_store **ret, struct error *e) MUST_USE;
void host_store_free(struct host_store *s);
void host_store_free_p(struct host_store **s);
#define AUTO_STORE CLEANUP(host_store_free_p)

void host_store_set_index(struct host_store *s, bool is_partial);
bool host_store_is_partial(const struct host_store *s);
bool host_store_has_index(const struct host_store *s);
/* Contents that are not in the store are read below this directory; owned from the call on. */
void host_store_set_root(struct host_store *s, int root_fd);

const struct host_node *host_store_node(const struct host_store *s, uint32_t at);
struct host_node *host_store_change(struct host_store *s, uint32_t at);
uint32_t host_store_count(const struct host_store *s);
const char *host_store_name(const struct host_store *s, uint32_t at);
/* The path of a node, appended. */
void host_store_path(const struct host_store *s, uint32_t at, struct buf *ret);

/* The child of that name, made where there is none; -E2BIG: too many, or too long a name. */
int host_store_child(struct host_store *s, uint32_t dir, const char *name, size_t len,
		     uint32_t *ret) MUST_USE;
/* False: there is none. */
bool host_store_find(const struct host_store *s, uint32_t dir, const char *name, size_t len,
		     uint32_t *ret);
/*
 * The node of a clean path, made with the folders on the way; "/" is the root.  -EINVAL: the
 * path is not clean, -ENOTDIR: there is something else on the way.
 */
int host_store_make(struct host_store *s, const char *path, uint32_t *ret) MUST_USE;

/* Sets what a link says, or appends it; a node that is no link says nothing. */
int host_store_set_link(struct host_store *s, uint32_t at, const char *target) MUST_USE;
void host_store_link(const struct host_store *s, uint32_t at, struct buf *ret);

/* The content of a file grows, as long as it is the last that does.  -EFBIG: too much in all. */
int host_store_append(struct host_store *s, uint32_t at, const void *data, size_t len) MUST_USE;
/* The content of a file that was read without error, appended; -EFBIG: longer than @max. */
int host_store_content(const struct host_store *s, uint32_t at, size_t max,
		       struct buf *ret) MUST_USE;

/*
 * From a path to its node.  @miss is asked where a child is not there, or only its name is
 * known: it adds or changes the child, or says why it cannot.
 */
typedef int host_store_miss(void *arg, uint32_t dir, const char *name, size_t len, uint32_t *ret);
struct host_walk {
	struct host_store *store;
	host_store_miss *miss;
	void *arg;
};
int host_store_walk(const struct host_walk *w, const char *path, bool follow,
		    uint32_t *ret) MUST_USE;

/* The names of a folder's children that its list has. */
int host_store_names(const struct host_store *s, uint32_t dir, struct strv *ret) MUST_USE;

/* What a node that a walk came to is. */
enum host_kind host_store_kind(const struct host_node *n);

/* A source that answers from it, and owns it from the call on. */
int host_store_source(struct host_store *s, struct host_source **ret, struct error *e) MUST_USE;
/* Of such a source; it stays the source's. */
struct host_store *host_store_of(struct host_source *s);

#endif
