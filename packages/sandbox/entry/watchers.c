/*
 * The supervisor creates the command's inotify instances, because the kernel counts them per account, and Landlock does not
 * restrict watches.
 */
#define _GNU_SOURCE
#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Maximum number of open instances, even if the plan allows more. */
#define MAX_WATCHERS 256

/* An inotify instance: its process, its descriptor in that process, and the supervisor's copy. */
struct watcher {
    int process; /* 0: free */
    int number;
    int copy;
};
static struct watcher watchers[MAX_WATCHERS];
/* Contains each instance until all of the command's descriptors of it are closed. */
static int all_watchers = -1;

static int count_watchers(void);
static void forget_closed(void);

int make_watcher(const struct plan *plan, int flags) {
    if (flags & ~(IN_CLOEXEC | IN_NONBLOCK)) return -EINVAL;
    if (all_watchers < 0) all_watchers = epoll_create1(EPOLL_CLOEXEC);
    forget_closed();
    int count = count_watchers();
    if (count < 0 || count >= MAX_WATCHERS || (plan->watchers && count >= (int)plan->watchers)) return -EMFILE;
    int made = inotify_init1(flags | IN_CLOEXEC);
    if (made < 0) return -errno;
    struct epoll_event nothing = {.events = 0};
    if (epoll_ctl(all_watchers, EPOLL_CTL_ADD, made, &nothing) == 0) return made;
    close(made);
    return -EMFILE;
}

void remember_watcher(int process, int number, int copy) {
    for (size_t at = 0; at < MAX_WATCHERS; at++) {
        if (watchers[at].process) continue;
        watchers[at] = (struct watcher){.process = process, .number = number, .copy = copy};
        return;
    }
    close(copy);
}

/* A forked process has its parent's instances under the same numbers. */
int find_watcher(int process, int number) {
    int found = -EBADF;
    for (size_t at = 0; at < MAX_WATCHERS; at++) {
        if (!watchers[at].process || watchers[at].number != number) continue;
        found = watchers[at].copy;
        if (watchers[at].process == process) break;
    }
    return found;
}

static void forget_closed(void) {
    for (size_t at = 0; at < MAX_WATCHERS; at++) {
        struct watcher *watcher = &watchers[at];
        if (!watcher->process) continue;
        static const char EXPECTED[] = "anon_inode:inotify";
        char path[48], name[sizeof EXPECTED] = "";
        snprintf(path, sizeof path, "/proc/%d/fd/%d", watcher->process, watcher->number);
        if (readlink(path, name, sizeof name - 1) > 0 && strcmp(name, EXPECTED) == 0) continue;
        close(watcher->copy);
        watcher->process = 0;
    }
}

/* Counts the lines of the epoll instance's fdinfo, one per open instance; returns -1 if it cannot be read. */
static int count_watchers(void) {
    char path[48], text[4096];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", all_watchers);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    int count = 0;
    char last = '\n';
    ssize_t size;
    while ((size = read(file, text, sizeof text)) > 0) {
        for (ssize_t at = 0; at < size; at++) {
            if (last == '\n' && text[at] == 't') count++; /* "tfd:"; other lines begin with p, f, m and i */
            last = text[at];
        }
    }
    close(file);
    return size < 0 ? -1 : count;
}
