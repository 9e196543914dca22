/*
 * switchyard-sandbox-entry, the first program in a sandbox: confines a command, runs it, and ends all processes that it
 * leaves. Statically linked, so that an agent's environment (LD_PRELOAD) cannot change what it does.
 */
#ifndef SWITCHYARD_SANDBOX_ENTRY_H
#define SWITCHYARD_SANDBOX_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MAX_PATHS 512

/* A folder or file that the policy allows, opened before the command starts. */
struct place {
    const char *path;
    int file; /* O_PATH; -1 if it does not exist */
    bool is_folder;
    bool is_device;
};

/* The options of one run. */
struct plan {
    int channel;                      /* Node's IPC channel, or -1 */
    const char *group;                /* folder of the control group to enter, or null */
    int listen_port;                  /* opened in the sandbox and passed to Node; 0: none */
    bool uses_landlock;               /* false: namespaces confine the command */
    struct place read_only[MAX_PATHS]; /* Landlock only, like the next three */
    size_t read_only_count;
    struct place read_write[MAX_PATHS];
    size_t read_write_count;
    int connect_port;                 /* the only TCP port to which connections are allowed; 0: none */
    bool any_network;                 /* allows TCP to any address, and UDP */
    bool has_own_network;             /* in a separate network namespace, where UDP reaches no other program */
    unsigned long long processes;          /* 0: inherited, like the next three */
    unsigned long long watchers;           /* inotify instances */
    unsigned long long open_files;
    unsigned long long file_bytes;
    const char *file;                 /* the program to execute */
    char **arguments;                 /* begins with argv[0] */
};

/* run.c */
int run_command(struct plan *plan);

/* channel.c */
void tell_handle(int channel, int listener);
/*
 * Returns when Node has acknowledged the descriptor, or has exited. If this end were closed before, later messages would be
 * lost: libuv treats a hang-up after a short read as the end, and each read with a descriptor is short.
 */
void await_acknowledgement(int channel);
void tell_executed(int channel);
void tell_failed(int channel, const char *step, int error);
void tell_ended(int channel, int status);
/* Sends bytes on a socket, with `descriptor` unless it is -1. */
bool send_descriptor(int to, const void *bytes, size_t size, int descriptor);
/* Returns the grace in ms that the parent requests; -1 without a request; -2 if it has exited. */
int hear_end(int channel);

/* confine.c, landlock.c and filter.c return null, or the name of the failed step with errno set. */
const char *drop_capabilities(void);
/* Number of tasks of the account that RLIMIT_NPROC also counts. Call it before Landlock. */
const char *count_others(const struct plan *plan, unsigned long long *others);
const char *limit_resources(const struct plan *plan, unsigned long long others);
/* Moves this process and its future children to the plan's control group. */
const char *enter_group(const struct plan *plan);
/* The kernel ends this process and its children first when memory runs out. */
const char *become_expendable(void);
/* Call it in namespaces, before capabilities are dropped. */
const char *limit_watchers(const struct plan *plan);
const char *scope_supervisor(void);
const char *open_places(struct plan *plan);
const char *restrict_files_and_ports(const struct plan *plan);
const char *scope_command(void);
/* Sets `listener` to the descriptor for the calls of guard.c, or to -1 if the supervisor performs none. */
const char *filter_system_calls(const struct plan *plan, int *listener);

/* share.c: lowers the priority of the run's other processes if the run has used much CPU time */
void give_way(void);

/* guard.c */
bool is_guarded(int call);
/* Returns the call at an index; -1 after the last one. */
int guarded_call(size_t at);
/* Answers one call; none if its caller has been killed. */
void answer_call(const struct plan *plan, int listener);

/* watchers.c: returns a descriptor or a negative error */
int make_watcher(const struct plan *plan, int flags);
/* Keeps `copy` while the process has the descriptor `number`. */
void remember_watcher(int process, int number, int copy);
int find_watcher(int process, int number);

/* connect.c and probe.c */
int connect_through_proxy(const char *host, const char *port);
int probe_confinement(int count, char **arguments);

#endif
