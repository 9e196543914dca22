/*
 * Lowers the priority of a run that has used much CPU time, so that other runs start quickly. All processes that this one
 * can signal belong to the run: no others are in its pid namespace or Landlock domain.
 */
#define _GNU_SOURCE
#include "entry.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* CPU time after which a run gets the lowest priority. */
#define MUCH_MS 500
#define LOWEST 19
#define MOST_PASSES 10

static bool each_process(bool (*look)(const char *number, void *with), void *with);
static bool add_time(const char *number, void *with);
static bool lower(const char *number, void *with);

void give_way(void) {
    struct rusage ended;
    if (getrusage(RUSAGE_CHILDREN, &ended)) return;
    long long used_ms = (ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) * 1000LL +
                        (ended.ru_utime.tv_usec + ended.ru_stime.tv_usec) / 1000;
    each_process(add_time, &used_ms);
    if (used_ms < MUCH_MS) return;
    int priority = LOWEST;
    /* A process that is forked meanwhile may escape; the next call lowers it. No process can raise its own priority. */
    for (int pass = 0; pass < MOST_PASSES && each_process(lower, &priority); pass++) continue;
}

/* Returns true if `look` returned true for any process. */
static bool each_process(bool (*look)(const char *number, void *with), void *with) {
    DIR *processes = opendir("/proc");
    if (!processes) return false;
    bool found = false;
    for (struct dirent *entry; (entry = readdir(processes));) {
        int process = atoi(entry->d_name);
        if (process > 0 && process != getpid() && kill(process, 0) == 0) found |= look(entry->d_name, with);
    }
    closedir(processes);
    return found;
}

/* Adds the CPU time of the process and of its reaped children. */
static bool add_time(const char *number, void *with) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size < 0 ? 0 : size] = '\0';
    /* The name may contain any character. */
    const char *at = strrchr(text, ')');
    long long ticks[4];
    if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld", &ticks[0], &ticks[1],
                      &ticks[2], &ticks[3]) != 4)
        return false;
    *(long long *)with += (ticks[0] + ticks[1] + ticks[2] + ticks[3]) * 1000 / sysconf(_SC_CLK_TCK);
    return true;
}

/* Each thread has its own priority. */
static bool lower(const char *number, void *with) {
    int priority = *(int *)with;
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/task", number);
    DIR *threads = opendir(path);
    if (!threads) return false;
    bool found = false;
    for (struct dirent *entry; (entry = readdir(threads));) {
        int thread = atoi(entry->d_name);
        if (thread <= 0 || getpriority(PRIO_PROCESS, (id_t)thread) >= priority) continue;
        found |= setpriority(PRIO_PROCESS, (id_t)thread, priority) == 0;
    }
    closedir(threads);
    return found;
}
