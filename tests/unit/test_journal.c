/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sriovctl/journal.h>

#include <sriovctl/error.h>

#include "scratch_journal.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define HEAD "sriovctl-journal 1\nboot " SCRATCH_BOOT "\n"

static void put_text(const char *dir, const char *text)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;

	scratch_path(dir, "journal", &path);
	fd = open(buf_text(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || base_write(fd, text, strlen(text)) < 0)
		abort();
}

static void get_text(const char *dir, char *ret, size_t size)
{
	AUTO_BUF struct buf path = { 0 };
	AUTO_CLOSE int fd = -1;
	ssize_t n = 0;

	scratch_path(dir, "journal", &path);
	fd = open(buf_text(&path), O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = read(fd, ret, size - 1);
	ret[n < 0 ? 0 : n] = '\0';
}

static struct step a_step(uint32_t vf, uint64_t mac)
{
	return (struct step){
		.vf = vf,
		.what = SETTING_MAC,
		.before = setting_number(0),
		.after = setting_number(mac),
	};
}

static struct pfstate a_pf(void)
{
	static char bdf[] = "0000:01:00.0", driver[] = "igb";

	return (struct pfstate){ .bdf = bdf, .driver = driver, .permanent_mac = 0x525400000001 };
}

static void begin(struct journal *j, struct pfstate *pf)
{
	const struct pfstates is = { .items = pf, .n = 1 };
	const struct step s = a_step(3, 0x020000000001);

	EXPECT(journal_begin(j, &is, NULL) == 0);
	EXPECT(journal_step(j, &s) == 0);
	EXPECT(journal_sync(j, NULL) == 0);
}

TEST(it_reads_what_it_wrote)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	AUTO_STRV struct strv bdfs = { 0 };
	struct pfstate pf = a_pf();

	EXPECT(journal_state(j) == JOURNAL_NONE);
	begin(j, &pf);
	journal_close(j);
	j = scratch_open(dir);
	EXPECT(journal_state(j) == JOURNAL_BROKEN && journal_length(j) == 1);
	EXPECT(journal_at(j, 0)->mark == JOURNAL_BEGUN);
	EXPECT(journal_at(j, 0)->step.vf == 3);
	EXPECT(journal_at(j, 0)->step.after.number == 0x020000000001);
	EXPECT(journal_functions(j, &bdfs) == 0);
	EXPECT(bdfs.n == 1 && strcmp(bdfs.items[0], "0000:01:00.0") == 0);
}

TEST(what_was_said_is_in_the_file_when_it_is_synced)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();
	char before[512], after[512];

	begin(j, &pf);
	get_text(dir, before, sizeof(before));
	EXPECT(strstr(before, "\nstep 0 0 3 mac "));
	journal_mark(j, 0, JOURNAL_DONE);
	EXPECT(journal_sync(j, NULL) == 0);
	get_text(dir, after, sizeof(after));
	EXPECT(strncmp(before, after, strlen(before)) == 0);
	EXPECT(strcmp(after + strlen(before), "done 0\n") == 0);
}

TEST(a_finished_run_leaves_nothing)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	AUTO_BUF struct buf path = { 0 };
	struct pfstate pf = a_pf();

	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_DONE);
	EXPECT(journal_end(j, NULL) == 0 && journal_state(j) == JOURNAL_NONE);
	scratch_path(dir, "journal", &path);
	EXPECT(access(buf_text(&path), F_OK) < 0 && errno == ENOENT);
}

TEST(what_waits_is_kept_until_it_is_done)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();

	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_WAITS);
	EXPECT(journal_end(j, NULL) == 0 && journal_state(j) == JOURNAL_PENDING);
	journal_close(j);
	j = scratch_open(dir);
	EXPECT(journal_state(j) == JOURNAL_PENDING && journal_at(j, 0)->mark == JOURNAL_WAITS);
	journal_mark(j, 0, JOURNAL_DONE);
	EXPECT(journal_end(j, NULL) == 0 && journal_state(j) == JOURNAL_NONE);
}

static struct pfstate another_pf(void)
{
	static char bdf[] = "0000:02:00.0", driver[] = "igb";

	return (struct pfstate){ .bdf = bdf, .driver = driver, .permanent_mac = 0x525400000002 };
}

static bool waits_of(struct journal **j, const char *dir, const char *bdf)
{
	AUTO_STRV struct strv bdfs = { 0 };
	const struct journal_entry *it;

	journal_close(*j);
	*j = scratch_open(dir);
	if (journal_state(*j) != JOURNAL_PENDING || journal_functions(*j, &bdfs) < 0)
		return false;
	it = journal_at(*j, journal_length(*j) - 1);
	return it->mark == JOURNAL_WAITS && it->step.vf == 3 &&
	       strcmp(bdfs.items[it->step.pf], bdf) == 0;
}

/* A run about another function has nothing to say of it. */
TEST(what_waits_of_other_functions_goes_on_waiting)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf(), other = another_pf();

	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_WAITS);
	EXPECT(journal_end(j, NULL) == 0);
	begin(j, &other);
	journal_mark(j, 0, JOURNAL_DONE);
	EXPECT(journal_end(j, NULL) == 0 && journal_state(j) == JOURNAL_NONE);
	EXPECT(waits_of(&j, dir, pf.bdf) && journal_length(j) == 1);
	/* Both wait. */
	begin(j, &other);
	journal_mark(j, 0, JOURNAL_WAITS);
	EXPECT(journal_end(j, NULL) == 0);
	EXPECT(waits_of(&j, dir, pf.bdf) && journal_length(j) == 2);
	/* A run about one of them. */
	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_DONE);
	EXPECT(journal_end(j, NULL) == 0);
	EXPECT(waits_of(&j, dir, other.bdf) && journal_length(j) == 1);
}

TEST(what_waits_of_others_outlives_a_run_that_is_killed)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf(), other = another_pf();
	const struct pfstates is = { .items = &other, .n = 1 };

	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_WAITS);
	EXPECT(journal_end(j, NULL) == 0);
	begin(j, &other);
	journal_close(j);
	j = scratch_open(dir);
	EXPECT(journal_state(j) == JOURNAL_BROKEN && journal_length(j) == 1);
	EXPECT(journal_compare(j, &is, NULL) == 0);
	/* Undone, and on to the next run in one go. */
	journal_mark(j, 0, JOURNAL_UNDONE);
	EXPECT(journal_end(j, NULL) == 0);
	begin(j, &other);
	journal_mark(j, 0, JOURNAL_DONE);
	EXPECT(journal_end(j, NULL) == 0);
	EXPECT(waits_of(&j, dir, pf.bdf));
}

TEST(what_waits_is_forgotten_of_some_alone)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf(), other = another_pf();
	const struct pfstates one = { .items = &pf, .n = 1 }, two = { .items = &other, .n = 1 };

	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_WAITS);
	EXPECT(journal_end(j, NULL) == 0);
	EXPECT(journal_forget(j, &two, NULL) == 0 && journal_state(j) == JOURNAL_PENDING);
	EXPECT(waits_of(&j, dir, pf.bdf));
	EXPECT(journal_forget(j, &one, NULL) == 0 && journal_state(j) == JOURNAL_NONE);
	journal_close(j);
	j = scratch_open(dir);
	EXPECT(journal_state(j) == JOURNAL_NONE);
}

TEST(what_is_undone_after_its_end_has_come_to_no_end)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();

	begin(j, &pf);
	journal_mark(j, 0, JOURNAL_WAITS);
	EXPECT(journal_end(j, NULL) == 0 && journal_state(j) == JOURNAL_PENDING);
	journal_mark(j, 0, JOURNAL_UNDONE);
	EXPECT(journal_state(j) == JOURNAL_BROKEN && journal_sync(j, NULL) == 0);
	journal_close(j);
	j = scratch_open(dir);
	EXPECT(journal_state(j) == JOURNAL_BROKEN && journal_at(j, 0)->mark == JOURNAL_UNDONE);
	EXPECT(journal_end(j, NULL) == 0 && journal_state(j) == JOURNAL_NONE);
}

TEST(a_torn_last_line_does_not_count_and_goes)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();
	char text[512];

	begin(j, &pf);
	journal_close(j);
	get_text(dir, text, sizeof(text) - 8);
	memcpy(text + strlen(text), "done 0", 7);
	put_text(dir, text);
	j = scratch_open(dir);
	EXPECT(journal_length(j) == 1 && journal_at(j, 0)->mark == JOURNAL_BEGUN);
	journal_mark(j, 0, JOURNAL_UNDONE);
	EXPECT(journal_sync(j, NULL) == 0);
	get_text(dir, text, sizeof(text));
	EXPECT(strstr(text, "\nundone 0\n") && !strstr(text, "done 0undone"));
}

TEST(two_runs_do_not_interleave)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct journal *other = NULL;
	struct error e = { 0 };
	char pid[32];

	(void)snprintf(pid, sizeof(pid), "process %d", getpid());
	EXPECT(journal_open(dir, SCRATCH_BOOT, &other, &e) == -EBUSY);
	EXPECT(!other && strstr(e.text, pid));
	journal_close(TAKE(j));
	EXPECT(journal_open(dir, SCRATCH_BOOT, &j, &e) == 0);
}

TEST(the_lock_ends_with_the_process)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = NULL;
	pid_t child = fork();
	int status;

	if (child == 0) {
		(void)scratch_open(dir);
		_exit(0);
	}
	EXPECT(waitpid(child, &status, 0) == child && status == 0);
	EXPECT(journal_open(dir, SCRATCH_BOOT, &j, NULL) == 0);
}

TEST(one_of_another_boot_counts_as_none)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();

	begin(j, &pf);
	journal_close(TAKE(j));
	EXPECT(journal_open(dir, "11111111-2222-3333-4444-555555555555", &j, NULL) == 0);
	EXPECT(journal_state(j) == JOURNAL_NONE && journal_length(j) == 0);
}

TEST(another_card_at_the_same_address_is_not_the_one)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();
	const struct pfstates is = { .items = &pf, .n = 1 };
	struct error e = { 0 };
	char other[] = "ixgbe";

	begin(j, &pf);
	EXPECT(journal_compare(j, &is, NULL) == 0);
	pf.permanent_mac++;
	EXPECT(journal_compare(j, &is, &e) == -ESTALE && strstr(e.text, "0000:01:00.0"));
	pf = a_pf();
	pf.driver = other;
	EXPECT(journal_compare(j, &is, NULL) == -ESTALE);
	/* What cannot be told now speaks against nothing. */
	pf.driver = NULL;
	pf.permanent_mac = 0;
	EXPECT(journal_compare(j, &is, NULL) == 0);
}

/* One that has no address of its own, as an NVMe. */
TEST(another_card_of_the_same_driver_is_not_the_one)
{
	static char ids[] = "1b36:0010:1af4:1100", others[] = "1b36:0010:1af4:1101";
	static char serial[] = "S5Y1_A1", another[] = "S5Y1_A2";
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_JOURNAL struct journal *j = scratch_open(dir);
	struct pfstate pf = a_pf();
	const struct pfstates is = { .items = &pf, .n = 1 };

	pf.permanent_mac = 0;
	pf.identity = (struct pfstate_identity){ .ids = ids, .serial = serial, .dsn = 0xa1 };
	begin(j, &pf);
	journal_close(j);
	j = scratch_open(dir);
	EXPECT(journal_compare(j, &is, NULL) == 0);
	pf.identity.ids = others;
	EXPECT(journal_compare(j, &is, NULL) == -ESTALE);
	pf.identity = (struct pfstate_identity){ .ids = ids, .serial = another, .dsn = 0xa1 };
	EXPECT(journal_compare(j, &is, NULL) == -ESTALE);
	pf.identity = (struct pfstate_identity){ .ids = ids, .serial = serial, .dsn = 0xa2 };
	EXPECT(journal_compare(j, &is, NULL) == -ESTALE);
	/* Without its driver a controller does not tell. */
	pf.identity = (struct pfstate_identity){ .ids = ids };
	EXPECT(journal_compare(j, &is, NULL) == 0);
}

TEST(only_its_owner_may_write_to_the_directory)
{
	AUTO_SCRATCH char *dir = scratch_make();
	struct journal *j = NULL;
	struct error e = { 0 };

	EXPECT(chmod(dir, 0770) == 0);
	EXPECT(journal_open(dir, SCRATCH_BOOT, &j, &e) == -EPERM && strstr(e.text, "770"));
	EXPECT(chmod(dir, 0700) == 0);
	if (geteuid() != 0)
		TEST_SKIP("only root can give a directory away");
	EXPECT(chown(dir, 1, 1) == 0);
	EXPECT(journal_open(dir, SCRATCH_BOOT, &j, &e) == -EPERM);
	EXPECT(chown(dir, 0, 0) == 0);
}

TEST(links_are_not_followed)
{
	AUTO_SCRATCH char *dir = scratch_make();
	AUTO_BUF struct buf path = { 0 };
	struct journal *j = NULL;

	scratch_path(dir, "journal", &path);
	EXPECT(symlink("/dev/null", buf_text(&path)) == 0);
	EXPECT(journal_open(dir, SCRATCH_BOOT, &j, NULL) == -ELOOP);
	EXPECT(unlink(buf_text(&path)) == 0);
	scratch_path(dir, "lock", &path);
	EXPECT(unlink(buf_text(&path)) == 0);
	EXPECT(symlink("/dev/null", buf_text(&path)) == 0);
	EXPECT(journal_open(dir, SCRATCH_BOOT, &j, NULL) == -ELOOP);
}

TEST(a_directory_is_made_for_its_owner_alone)
{
	AUTO_SCRATCH char *top = scratch_make();
	AUTO_BUF struct buf path = { 0 };
	AUTO_JOURNAL struct journal *j = NULL;
	char *dir;
	struct stat st;

	scratch_path(top, "new", &path);
	dir = buf_take(&path);
	EXPECT(dir && journal_open(dir, SCRATCH_BOOT, &j, NULL) == 0);
	EXPECT(stat(dir, &st) == 0 && (st.st_mode & 07777) == 0700);
	scratch_done(&dir);
}

/* Each has a last line of its own that is wrong. */
static const char *const damaged[] = {
	"sriovctl-journal 2\n",
	HEAD "boot " SCRATCH_BOOT "\n",
	HEAD "pf 1 0000:01:00.0 igb - - - -\n",
	HEAD "pf 0 0000:01:00.0 igb 52540000001 - - -\n",
	HEAD "pf 0 0000:01:00.0 igb\n",
	HEAD "pf 0 0000:01:00.0 igb - - -\n",
	HEAD "pf 0 0000:01:00.0 igb - - 12 -\n",
	HEAD "pf 0 0000:01:00.0 igb - - - - -\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 1 - vfs 0 4 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 1 0 - vfs 0 4 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 0 2 vfs 0 4 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 0 - queues 0 4 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 0 - vfs 0 4 x\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 0 - vfs 0 4 rk\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 0 - vfs 0  4 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "step 0 0 - vfs 00 4 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\n"
	     "done 0\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\nstep 0 0 - vfs 0 4 r\nundone 0\n"
	     "done 0\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\nstep 0 0 - vfs 0 4 r\nend\n"
	     "step 1 0 - vfs 4 0 r\n",
	HEAD "pf 0 0000:01:00.0 igb - - - -\nstep 0 0 - vfs 0 4 r\nend\n"
	     "end\n",
	HEAD "\n",
	"\n",
};

static unsigned count_lines(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

TEST(any_other_damage_is_named_by_its_line)
{
	for (size_t i = 0; i < ARRAY_SIZE(damaged); i++) {
		AUTO_SCRATCH char *dir = scratch_make();
		struct journal *j = NULL;
		struct error e = { 0 };
		char line[32];

		put_text(dir, damaged[i]);
		(void)snprintf(line, sizeof(line), "line %u ", count_lines(damaged[i]));
		EXPECT(journal_open(dir, SCRATCH_BOOT, &j, &e) == -EBADMSG);
		EXPECT(strstr(e.text, line) && strstr(e.text, "/journal: line"));
		EXPECT(strstr(e.text, "sriovctl list") && strstr(e.text, "remove it"));
		EXPECT((strncmp(damaged[i], "sriovctl-journal 2", 18) == 0) ==
		       !!strstr(e.text, "another version"));
		if (test_failed)
			printf("# %zu: %s\n", i, e.text);
	}
}
