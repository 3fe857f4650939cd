/* SPDX-License-Identifier: GPL-2.0-or-later */
int generator_run(void)
{
	return execve("/usr/sbin/update-grub", 0, 0);
}
