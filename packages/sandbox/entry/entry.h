/*
 * switchyard-sandbox-entry: the first program inside a sandbox. It confines one command, runs it, and ends everything
 * that the command leaves behind. Static, so that nothing of an agent's environment (LD_PRELOAD) changes what it does.
 */
#ifndef SWITCHYARD_SANDBOX_ENTRY_H
#define SWITCHYARD_SANDBOX_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MAX_PATHS 512

/* A folder or file that a policy opens, pinned before anything of the run was started. */
struct place {
    const char *path;
    int file; /* O_PATH; -1 where nothing is */
    bool is_folder;
    bool is_device;
};

/* What the command line says about one run. */
struct plan {
    int channel;                      /* Node's IPC channel, or -1 */
    const char *group;                /* the folder of a control group to enter, or null */
    int listen_port;                  /* listened on inside, and handed to Node; 0: none */
    bool uses_landlock;               /* else the namespaces around this program confine it */
    struct place read_only[MAX_PATHS]; /* Landlock only, as are the next three */
    size_t read_only_count;
    struct place read_write[MAX_PATHS];
    size_t read_write_count;
    int connect_port;                 /* the one TCP port that may be connected to; 0: none */
    bool any_network;                 /* TCP to anywhere, and UDP */
    bool has_own_network;             /* a network namespace of its own, where UDP reaches nobody else */
    unsigned long long processes;          /* 0: as inherited; so the next three */
    unsigned long long watchers;           /* instances of inotify */
    unsigned long long open_files;
    unsigned long long file_bytes;
    const char *file;                 /* what is executed */
    char **arguments;                 /* from argv[0] on */
};

/* run.c */
int run_command(struct plan *plan);

/* channel.c */
void tell_handle(int channel, int listener);
/*
 * Returns when the descriptor has been taken, or nobody is left who would. What is sent behind it is lost when this end
 * closes before: libuv takes a hang-up after a short read, as each read that brings a descriptor is, for the end.
 */
void await_acknowledgement(int channel);
void tell_executed(int channel);
void tell_failed(int channel, const char *step, int error);
void tell_ended(int channel, int status);
/* Sends bytes, and a descriptor unless it is -1, on a socket. */
bool send_descriptor(int to, const void *bytes, size_t size, int descriptor);
/* Milliseconds of grace that the parent asks for; -1 when it said nothing that is known; -2 when it is gone. */
int hear_end(int channel);

/* confine.c, landlock.c, filter.c: null, or the name of the step that failed (errno says why). */
const char *drop_capabilities(void);
/* How many tasks the account has that RLIMIT_NPROC counts too; asked before Landlock. */
const char *count_others(const struct plan *plan, unsigned long long *others);
const char *limit_resources(const struct plan *plan, unsigned long long others);
/* Moves this process, and with it what it will start, into the control group of the plan. */
const char *enter_group(const struct plan *plan);
/* Lets the kernel end this process before those of others when memory runs out; its children too. */
const char *become_expendable(void);
/* Inside of namespaces, and before the capabilities are dropped. */
const char *limit_watchers(const struct plan *plan);
const char *scope_supervisor(void);
const char *open_places(struct plan *plan);
const char *restrict_files_and_ports(const struct plan *plan);
const char *scope_command(void);
/* `listener` becomes the descriptor by which the calls of guard.c are answered, or -1 where none are handed over. */
const char *filter_system_calls(const struct plan *plan, int *listener);

/* share.c: lowers the priority of all other processes of a run that has used much of the processor */
void give_way(void);

/* guard.c */
bool is_guarded(int call);
/* The calls one after another; -1 behind the last. */
int guarded_call(size_t at);
/* Answers one call, or none when its caller has been killed meanwhile. */
void answer_call(const struct plan *plan, int listener);

/* watchers.c: a descriptor, or the negative error */
int make_watcher(const struct plan *plan, int flags);
/* `copy` is kept while the process has the descriptor `number`. */
void remember_watcher(int process, int number, int copy);
int find_watcher(int process, int number);

/* connect.c and probe.c */
int connect_through_proxy(const char *host, const char *port);
int probe_confinement(int count, char **arguments);

#endif
