#define _GNU_SOURCE
#include "entry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* PID_MAX_LIMIT: no Linux kernel runs more processes. */
#define MOST_PROCESSES (1ULL << 22)

static bool write_number(const char *path, unsigned long long number);
static bool is_root_of_host(void);
static bool limit(int resource, unsigned long long most);

const char *drop_capabilities(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        /* The call fails in a process without capabilities, which has none to drop. */
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
    errno = 0;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &header, none) ? "capset" : NULL;
}

const char *limit_resources(const struct plan *plan, unsigned long long others) {
    unsigned long long processes = plan->processes;
    if (processes) processes += others;
    if (!limit(RLIMIT_CORE, 0)) return "limit_core";
    if (processes && !limit(RLIMIT_NPROC, processes)) return "limit_processes";
    if (plan->open_files && !limit(RLIMIT_NOFILE, plan->open_files)) return "limit_open_files";
    if (plan->file_bytes && !limit(RLIMIT_FSIZE, plan->file_bytes)) return "limit_file_bytes";
    return NULL;
}

const char *enter_group(const struct plan *plan) {
    if (!plan->group) return NULL;
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/cgroup.procs", plan->group);
    if (size < 0 || (size_t)size >= sizeof path) {
        errno = ENAMETOOLONG;
        return "control_group";
    }
    return write_number(path, 0) ? NULL : "control_group"; /* 0 is this process */
}

const char *become_expendable(void) {
    return write_number("/proc/self/oom_score_adj", 1000) ? NULL : "oom_score";
}

/* Sets the limit of the user namespace. The kernel also applies the host's limit to the account. */
const char *limit_watchers(const struct plan *plan) {
    if (!plan->watchers) return NULL;
    return write_number("/run/switchyard/user/max_inotify_instances", plan->watchers) ? NULL : "limit_watchers";
}

static bool write_number(const char *path, unsigned long long number) {
    char text[24];
    int size = snprintf(text, sizeof text, "%llu", number);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t written = write(file, text, (size_t)size);
    close(file);
    return written == size;
}

/*
 * A user namespace needs no count, because the kernel counts its tasks separately. The link count of /proc/<pid>/task is
 * the number of threads plus two.
 */
const char *count_others(const struct plan *plan, unsigned long long *others) {
    *others = 0;
    if (!plan->processes || !plan->uses_landlock) return NULL;
    if (is_root_of_host()) {
        *others = MOST_PROCESSES;
        return NULL;
    }
    uid_t own = getuid();
    DIR *processes = opendir("/proc");
    if (!processes) return "count_processes";
    for (struct dirent *entry; (entry = readdir(processes));) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        char path[300];
        struct stat seen;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (stat(path, &seen) == 0 && seen.st_uid == own) *others += seen.st_nlink - 2;
    }
    closedir(processes);
    return NULL;
}

/* RLIMIT_NPROC does not apply to root of the host's user namespace, which is the one that maps all ids to themselves. */
static bool is_root_of_host(void) {
    unsigned outside = 1, count = 0;
    FILE *map = getuid() == 0 ? fopen("/proc/self/uid_map", "re") : NULL;
    if (!map) return false;
    int found = fscanf(map, "%*u %u %u", &outside, &count);
    fclose(map);
    return found == 2 && outside == 0 && count == 0xffffffff;
}

/* Lowers a resource limit to `most`; never raises the inherited limit. */
static bool limit(int resource, unsigned long long most) {
    struct rlimit now;
    if (getrlimit(resource, &now)) return false;
    if (now.rlim_max > most) now.rlim_max = most;
    if (now.rlim_cur > now.rlim_max) now.rlim_cur = now.rlim_max;
    return setrlimit(resource, &now) == 0;
}
