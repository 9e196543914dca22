/* Requires Linux 6.12 (Landlock ABI 6 scopes signals and abstract sockets); the kernel headers may be older. */
#define _GNU_SOURCE
#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLDEST_ABI 6

struct ruleset_attributes {
    uint64_t files;
    uint64_t network;
    uint64_t scoped;
};
struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));
struct port_rule {
    uint64_t allowed;
    uint64_t port;
};

enum { OPENAT2 = 437, CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
#define NO_LINKS RESOLVE_NO_SYMLINKS

enum { RULE_PATH = 1, RULE_PORT = 2 };

#define EXECUTE (1ULL << 0)
#define WRITE_FILE (1ULL << 1)
#define READ_FILE (1ULL << 2)
#define READ_FOLDER (1ULL << 3)
#define TRUNCATE (1ULL << 14)
#define DEVICE_CONTROL (1ULL << 15)
#define ALL_FILES ((1ULL << 16) - 1)
/* The rights that apply to files other than directories. */
#define FILE_RIGHTS (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL)
#define READ (EXECUTE | READ_FILE | READ_FOLDER)

#define BIND_TCP (1ULL << 0)
#define CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_SOCKETS (1ULL << 0)
#define SCOPE_SIGNALS (1ULL << 1)

/*
 * Files that programs read about themselves. Excludes the rest of /proc, which shows the command lines of all processes,
 * and /proc/self/net and /proc/self/task/<tid>/net, which show the host's connections.
 */
static const char *const OF_SELF[] = {
    "/proc/self/auxv",         "/proc/self/cgroup",      "/proc/self/cmdline",      "/proc/self/comm",
    "/proc/self/coredump_filter", "/proc/self/environ",  "/proc/self/fd",           "/proc/self/fdinfo",
    "/proc/self/io",           "/proc/self/limits",      "/proc/self/loginuid",     "/proc/self/maps",
    "/proc/self/mountinfo",    "/proc/self/mounts",      "/proc/self/oom_score",    "/proc/self/oom_score_adj",
    "/proc/self/sched",        "/proc/self/smaps",       "/proc/self/smaps_rollup", "/proc/self/stat",
    "/proc/self/statm",        "/proc/self/status",      "/proc/self/wchan",
};

static const char *require_landlock(void);
static const char *open_place(struct place *place, uint64_t resolve);
static const char *allow_place(int ruleset, const struct place *place, uint64_t rights);
static const char *allow_port(int ruleset, int port, uint64_t rights);
static const char *enforce(int ruleset);

/*
 * Puts this process and its descendants in a domain that signals cannot leave, so that a signal to -1 reaches only the
 * descendants. Does not restrict files or ports.
 */
const char *scope_supervisor(void) {
    const char *step = require_landlock();
    if (step) return step;
    struct ruleset_attributes attributes = {.scoped = SCOPE_SIGNALS};
    int ruleset = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return "landlock_ruleset";
    step = enforce(ruleset);
    if (step) return step;
    if (kill(getppid(), 0) == 0) {
        errno = EPERM;
        return "landlock_scope";
    }
    return NULL;
}

const char *open_places(struct plan *plan) {
    const char *step = NULL;
    for (size_t at = 0; !step && at < plan->read_only_count; at++) step = open_place(&plan->read_only[at], 0);
    for (size_t at = 0; !step && at < plan->read_write_count; at++) step = open_place(&plan->read_write[at], NO_LINKS);
    return step;
}

const char *restrict_files_and_ports(const struct plan *plan) {
    const char *step = require_landlock();
    if (step) return step;
    struct ruleset_attributes attributes = {
        .files = ALL_FILES,
        .network = plan->any_network ? 0 : BIND_TCP | CONNECT_TCP,
        .scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS,
    };
    int ruleset = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return "landlock_ruleset";
    for (size_t at = 0; !step && at < plan->read_only_count; at++) {
        step = allow_place(ruleset, &plan->read_only[at], READ);
    }
    for (size_t at = 0; !step && at < plan->read_write_count; at++) {
        step = allow_place(ruleset, &plan->read_write[at], ALL_FILES);
    }
    for (size_t at = 0; !step && at < sizeof OF_SELF / sizeof OF_SELF[0]; at++) {
        struct place self = {.path = OF_SELF[at]};
        step = open_place(&self, 0);
        if (!step) step = allow_place(ruleset, &self, READ);
    }
    if (!step && !plan->any_network) {
        /* Allows binding any free port; the filter refuses to listen on it. */
        step = allow_port(ruleset, 0, BIND_TCP);
        if (!step && plan->connect_port) step = allow_port(ruleset, plan->connect_port, CONNECT_TCP);
    }
    return step ? step : enforce(ruleset);
}

/* Used with namespaces, which leave abstract sockets open if the network is shared. Does nothing on older kernels. */
const char *scope_command(void) {
    if (require_landlock()) return NULL;
    struct ruleset_attributes attributes = {.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS};
    int ruleset = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    return ruleset < 0 ? "landlock_ruleset" : enforce(ruleset);
}

static const char *require_landlock(void) {
    long abi = syscall(CREATE_RULESET, NULL, 0, 1);
    if (abi >= OLDEST_ABI) return NULL;
    if (abi >= 0) errno = ENOSYS;
    return "landlock_abi";
}

/* A missing file needs no rule. An unexpected link is an error, because it was created after the path was checked. */
static const char *open_place(struct place *place, uint64_t resolve) {
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = resolve};
    place->file = (int)syscall(OPENAT2, AT_FDCWD, place->path, &how, sizeof how);
    if (place->file < 0) return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? NULL : "landlock_path";
    struct stat seen;
    if (fstat(place->file, &seen)) return "landlock_path";
    place->is_folder = S_ISDIR(seen.st_mode);
    place->is_device = !place->is_folder && !S_ISREG(seen.st_mode);
    return NULL;
}

static const char *allow_place(int ruleset, const struct place *place, uint64_t rights) {
    if (place->file < 0) return NULL;
    struct path_rule rule = {.allowed = place->is_folder ? rights : rights & FILE_RIGHTS, .parent = place->file};
    return syscall(ADD_RULE, ruleset, RULE_PATH, &rule, 0) ? "landlock_rule" : NULL;
}

static const char *allow_port(int ruleset, int port, uint64_t rights) {
    struct port_rule rule = {.allowed = rights, .port = (uint64_t)port};
    return syscall(ADD_RULE, ruleset, RULE_PORT, &rule, 0) ? "landlock_port" : NULL;
}

static const char *enforce(int ruleset) {
    long refused = syscall(RESTRICT_SELF, ruleset, 0);
    close(ruleset);
    return refused ? "landlock_restrict" : NULL;
}
