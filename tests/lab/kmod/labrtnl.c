/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * While it is loaded the lock of rtnetlink is held, as by a driver whose firmware does not answer.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

static struct task_struct *holder;
static DECLARE_COMPLETION(held);

static int hold(void *unused)
{
	rtnl_lock();
	complete(&held);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	rtnl_unlock();
	return 0;
}

static int __init labrtnl_init(void)
{
	holder = kthread_run(hold, NULL, "labrtnl");
	if (IS_ERR(holder))
		return PTR_ERR(holder);
	wait_for_completion(&held);
	return 0;
}

static void __exit labrtnl_exit(void)
{
	kthread_stop(holder);
}

module_init(labrtnl_init);
module_exit(labrtnl_exit);
MODULE_DESCRIPTION("Holds the lock of rtnetlink");
MODULE_LICENSE("GPL");
