/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bad: banned: execve */
int exec_run(void)
{
	return execve("/bin/true", 0, 0);
}
