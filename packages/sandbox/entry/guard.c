/*
 * The supervisor performs calls that no Landlock right covers (SECCOMP_RET_USER_NOTIF): changes of modes, owners, times and
 * extended attributes, and watches. It also creates the command's inotify instances (watchers.c).
 *
 * - It opens the file once (O_PATH), relative to the caller's folder or descriptor, checks it, and changes it through that
 *   descriptor. Later changes of the caller's memory or of the path have no effect.
 * - It checks the file's present path. The caller cannot move other files into its folders, because renaming and linking
 *   between folders need Landlock rights.
 * - It has no capabilities and the caller's account, so the kernel applies the caller's permissions.
 * - It opens the caller's folder in /proc before it asks the kernel whether the caller still waits, so a reused process id
 *   cannot lead to another process.
 */
#define _GNU_SOURCE
#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#define MAX_ATTRIBUTE_NAME 256
#define MAX_ATTRIBUTE_SIZE 65536
#define PAGE 4096

enum { OPENAT2 = 437, FCHMODAT2 = 452 };

/* How a call names its file; the arguments of the action follow. */
enum subject { DESCRIPTOR, PATH, LINK, PATH_IN_FOLDER, WATCHED };
enum action { SET_MODE, SET_OWNER, SET_TIMES, SET_TIMEVALS, SET_UTIMBUF, SET_ATTRIBUTE, REMOVE_ATTRIBUTE, WATCH };

static const struct guarded {
    int call;
    enum subject subject;
    enum action action;
    int flags_at; /* index of the argument with AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH; 0: none */
} GUARDED[] = {
    {SYS_fchmod, DESCRIPTOR, SET_MODE, 0},
    {SYS_fchmodat, PATH_IN_FOLDER, SET_MODE, 0},
    {FCHMODAT2, PATH_IN_FOLDER, SET_MODE, 3},
    {SYS_fchown, DESCRIPTOR, SET_OWNER, 0},
    {SYS_fchownat, PATH_IN_FOLDER, SET_OWNER, 4},
    {SYS_utimensat, PATH_IN_FOLDER, SET_TIMES, 3},
    {SYS_setxattr, PATH, SET_ATTRIBUTE, 0},
    {SYS_lsetxattr, LINK, SET_ATTRIBUTE, 0},
    {SYS_fsetxattr, DESCRIPTOR, SET_ATTRIBUTE, 0},
    {SYS_removexattr, PATH, REMOVE_ATTRIBUTE, 0},
    {SYS_lremovexattr, LINK, REMOVE_ATTRIBUTE, 0},
    {SYS_fremovexattr, DESCRIPTOR, REMOVE_ATTRIBUTE, 0},
    {SYS_inotify_add_watch, WATCHED, WATCH, 0},
#if defined(__x86_64__)
    {SYS_chmod, PATH, SET_MODE, 0},
    {SYS_chown, PATH, SET_OWNER, 0},
    {SYS_lchown, LINK, SET_OWNER, 0},
    {SYS_utime, PATH, SET_UTIMBUF, 0},
    {SYS_utimes, PATH, SET_TIMEVALS, 0},
    {SYS_futimesat, PATH_IN_FOLDER, SET_TIMEVALS, 0},
#endif
};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Calls without a file. */
static const int OTHERS[] = {
    SYS_inotify_init1,
#if defined(__x86_64__)
    SYS_inotify_init,
#endif
};

struct caller {
    int process; /* descriptor of its folder in /proc */
    int memory;
};

static void answer(int listener, __u64 id, int error);
static int lend(int listener, __u64 id, int descriptor, int flags);
static int open_process(const struct seccomp_notif *asked, int listener);
static int perform(const struct plan *plan, const struct seccomp_notif *asked, int listener);
static int change(const struct caller *caller, const struct guarded *guarded, const __u64 *arguments, int subject);
static int open_subject(const struct caller *caller, const struct guarded *guarded, const __u64 *arguments);
static int open_descriptor(const struct caller *caller, int number);
static int number_in_proc(const char *path);
static bool is_in(const struct place *places, size_t count, int subject);
static int process_of(const struct caller *caller);
static int set_times(const struct caller *caller, enum action action, __u64 address, int subject);
static int set_attribute(const struct caller *caller, const __u64 *arguments, const char *path);
static int read_text(const struct caller *caller, __u64 address, char *text, size_t size);
static bool read_memory(const struct caller *caller, __u64 address, void *into, size_t size);
static int outcome(long result);

static const struct guarded *find(int call) {
    for (size_t at = 0; at < COUNT(GUARDED); at++) {
        if (GUARDED[at].call == call) return &GUARDED[at];
    }
    return NULL;
}

bool is_guarded(int call) {
    for (size_t at = 0; guarded_call(at) >= 0; at++) {
        if (guarded_call(at) == call) return true;
    }
    return false;
}

int guarded_call(size_t at) {
    if (at < COUNT(GUARDED)) return GUARDED[at].call;
    at -= COUNT(GUARDED);
    return at < COUNT(OTHERS) ? OTHERS[at] : -1;
}

void answer_call(const struct plan *plan, int listener) {
    static union {
        struct seccomp_notif asked;
        char room[1024]; /* newer kernels may write more */
    } call;
    memset(&call, 0, sizeof call);
    /* Fails if the caller has been killed. */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call)) return;
    const struct seccomp_notif *asked = &call.asked;
    const __u64 *arguments = asked->data.args;
    int made, number;
    switch (asked->data.nr) {
#if defined(__x86_64__)
    case SYS_inotify_init:
#endif
    case SYS_inotify_init1: {
        int flags = asked->data.nr == SYS_inotify_init1 ? (int)arguments[0] : 0;
        made = make_watcher(plan, flags);
        struct caller caller = {.process = open_process(asked, listener)};
        int process = caller.process < 0 ? -1 : process_of(&caller);
        number = lend(listener, asked->id, made, flags & IN_CLOEXEC ? O_CLOEXEC : 0);
        if (caller.process >= 0) close(caller.process);
        if (number >= 0 && process > 0) remember_watcher(process, number, made);
        else if (made >= 0) close(made);
        return;
    }
    default: answer(listener, asked->id, perform(plan, asked, listener));
    }
}

static void answer(int listener, __u64 id, int error) {
    static union {
        struct seccomp_notif_resp reply;
        char room[1024];
    } answer;
    memset(&answer, 0, sizeof answer);
    answer.reply.id = id;
    answer.reply.error = error;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* Copies the descriptor to the caller. Answers with, and returns, its number in the caller or the negative error. */
static int lend(int listener, __u64 id, int descriptor, int flags) {
    struct seccomp_notif_addfd given = {
        .id = id, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (__u32)descriptor, .newfd_flags = (__u32)flags};
    int number = descriptor < 0 ? descriptor : outcome(ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given));
    if (number < 0) answer(listener, id, number);
    return number;
}

/* Returns a descriptor of the calling process's folder in /proc, or -1. */
static int open_process(const struct seccomp_notif *asked, int listener) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%u", asked->pid);
    int process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    __u64 id = asked->id;
    if (process < 0 || ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0) return process;
    close(process);
    return -1;
}

/* Returns the call's result or a negative error. Calls of processes that are not dumpable are refused. */
static int perform(const struct plan *plan, const struct seccomp_notif *asked, int listener) {
    const struct guarded *guarded = find(asked->data.nr);
    if (!guarded) return -ENOSYS;
    struct caller caller = {.process = open_process(asked, listener)};
    if (caller.process < 0) return -EPERM;
    int result = -EPERM;
    caller.memory = openat(caller.process, "mem", O_RDONLY | O_CLOEXEC);
    if (caller.memory >= 0) {
        int subject = open_subject(&caller, guarded, asked->data.args);
        result = subject;
        if (subject >= 0) {
            bool may = is_in(plan->read_write, plan->read_write_count, subject) ||
                       (guarded->action == WATCH && is_in(plan->read_only, plan->read_only_count, subject));
            if (may) result = change(&caller, guarded, asked->data.args, subject);
            else result = guarded->action == WATCH ? -EACCES : -EPERM;
            close(subject);
        }
        close(caller.memory);
    }
    close(caller.process);
    return result;
}

/* Returns a descriptor (O_PATH) of the call's file, or a negative error. */
static int open_subject(const struct caller *caller, const struct guarded *guarded, const __u64 *arguments) {
    if (guarded->subject == DESCRIPTOR) return open_descriptor(caller, (int)arguments[0]);
    bool is_in_folder = guarded->subject == PATH_IN_FOLDER;
    int folder = is_in_folder ? (int)arguments[0] : AT_FDCWD;
    int flags = guarded->flags_at ? (int)arguments[guarded->flags_at] : 0;
    if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) return -EINVAL;
    bool follows = guarded->subject != LINK && !(flags & AT_SYMLINK_NOFOLLOW);
    if (guarded->subject == WATCHED) follows = !(arguments[2] & IN_DONT_FOLLOW);
    __u64 address = arguments[is_in_folder || guarded->subject == WATCHED ? 1 : 0];
    char path[PATH_MAX] = "";
    bool may_be_empty = flags & AT_EMPTY_PATH;
    if (!address && (guarded->action == SET_TIMES || guarded->action == SET_TIMEVALS)) {
        may_be_empty = true; /* futimens(3) */
    } else {
        int error = read_text(caller, address, path, sizeof path);
        if (error) return error;
    }
    if (!path[0]) return may_be_empty ? open_descriptor(caller, folder) : -ENOENT;
    if (follows && number_in_proc(path) >= 0) return open_descriptor(caller, number_in_proc(path));
    int base = path[0] == '/' ? AT_FDCWD : open_descriptor(caller, folder);
    if (base < 0 && base != AT_FDCWD) return base;
    /* Other magic links would lead to files of the supervisor, not of the caller. */
    struct open_how how = {.flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW), .resolve = RESOLVE_NO_MAGICLINKS};
    int subject = outcome(syscall(OPENAT2, base, path, &how, sizeof how));
    if (base >= 0) close(base);
    return subject;
}

/* AT_FDCWD means the caller's working directory. */
static int open_descriptor(const struct caller *caller, int number) {
    char path[32] = "cwd";
    if (number != AT_FDCWD) snprintf(path, sizeof path, "fd/%d", number);
    int found = openat(caller->process, path, O_PATH | O_CLOEXEC);
    if (found >= 0) return found;
    return errno == ENOENT ? -EBADF : -errno;
}

/* Returns the number of the descriptor that the path names (/dev/fd/<n>, as C libraries write it), or -1. */
static int number_in_proc(const char *path) {
    static const char *const FOLDERS[] = {"/proc/self/fd/", "/dev/fd/"};
    for (size_t at = 0; at < COUNT(FOLDERS); at++) {
        size_t length = strlen(FOLDERS[at]);
        if (strncmp(path, FOLDERS[at], length) != 0) continue;
        const char *digits = path + length;
        size_t count = strspn(digits, "0123456789");
        if (count == 0 || count > 7 || digits[count]) return -1;
        int number = 0;
        for (; *digits; digits++) number = number * 10 + (*digits - '0');
        return number;
    }
    return -1;
}

/* Compares the present paths, without links, of the file and of each place. */
static bool is_in(const struct place *places, size_t count, int subject) {
    char path[32], name[PATH_MAX], folder[PATH_MAX];
    snprintf(path, sizeof path, "/proc/self/fd/%d", subject);
    ssize_t size = readlink(path, name, sizeof name);
    if (size <= 0 || size == sizeof name || name[0] != '/') return false;
    for (size_t at = 0; at < count; at++) {
        const struct place *place = &places[at];
        if (place->file < 0 || place->is_device) continue;
        snprintf(path, sizeof path, "/proc/self/fd/%d", place->file);
        ssize_t length = readlink(path, folder, sizeof folder);
        if (length <= 0 || length > size || memcmp(name, folder, (size_t)length) != 0) continue;
        if (length == size || (place->is_folder && name[length] == '/')) return true;
    }
    return false;
}

/* Returns the process id (Tgid) of the calling thread, or -1. */
static int process_of(const struct caller *caller) {
    char text[1024] = "";
    int status = openat(caller->process, "status", O_RDONLY | O_CLOEXEC);
    if (status < 0) return -1;
    ssize_t size = read(status, text, sizeof text - 1);
    close(status);
    const char *found = size > 0 ? strstr(text, "\nTgid:") : NULL;
    return found ? atoi(found + strlen("\nTgid:")) : -1;
}

static int change(const struct caller *caller, const struct guarded *guarded, const __u64 *arguments, int subject) {
    const __u64 *values = arguments + (guarded->subject == PATH_IN_FOLDER || guarded->subject == WATCHED ? 2 : 1);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", subject);
    char name[MAX_ATTRIBUTE_NAME];
    switch (guarded->action) {
    case SET_MODE: return outcome(chmod(path, (mode_t)values[0]));
    case SET_OWNER: return outcome(fchownat(subject, "", (uid_t)values[0], (gid_t)values[1], AT_EMPTY_PATH));
    case SET_TIMES:
    case SET_TIMEVALS:
    case SET_UTIMBUF: return set_times(caller, guarded->action, values[0], subject);
    case SET_ATTRIBUTE: return set_attribute(caller, values, path);
    case REMOVE_ATTRIBUTE:
        if (read_text(caller, values[0], name, sizeof name)) return -ERANGE;
        return outcome(removexattr(path, name));
    case WATCH: {
        int watcher = find_watcher(process_of(caller), (int)arguments[0]);
        if (watcher < 0) return watcher;
        return outcome(inotify_add_watch(watcher, path, (uint32_t)values[0] & ~(uint32_t)IN_DONT_FOLLOW));
    }
    }
    return -ENOSYS;
}

static int set_times(const struct caller *caller, enum action action, __u64 address, int subject) {
    struct timespec times[2];
    struct timeval values[2];
    struct utimbuf seconds;
    if (!address) return outcome(utimensat(subject, "", NULL, AT_EMPTY_PATH));
    if (action == SET_TIMES) {
        if (!read_memory(caller, address, times, sizeof times)) return -EFAULT;
    } else if (action == SET_TIMEVALS) {
        if (!read_memory(caller, address, values, sizeof values)) return -EFAULT;
        for (int at = 0; at < 2; at++) {
            if (values[at].tv_usec < 0 || values[at].tv_usec >= 1000000) return -EINVAL;
            times[at] = (struct timespec){.tv_sec = values[at].tv_sec, .tv_nsec = values[at].tv_usec * 1000};
        }
    } else {
        if (!read_memory(caller, address, &seconds, sizeof seconds)) return -EFAULT;
        times[0] = (struct timespec){.tv_sec = seconds.actime};
        times[1] = (struct timespec){.tv_sec = seconds.modtime};
    }
    return outcome(utimensat(subject, "", times, AT_EMPTY_PATH));
}

static int set_attribute(const struct caller *caller, const __u64 *arguments, const char *path) {
    static char value[MAX_ATTRIBUTE_SIZE];
    char name[MAX_ATTRIBUTE_NAME];
    size_t size = (size_t)arguments[2];
    if (read_text(caller, arguments[0], name, sizeof name)) return -ERANGE;
    if (size > sizeof value) return -E2BIG;
    if (size > 0 && !read_memory(caller, arguments[1], value, size)) return -EFAULT;
    return outcome(setxattr(path, name, value, size, (int)arguments[3]));
}

/* Returns zero or a negative error. Does not read beyond the page on which the text ends. */
static int read_text(const struct caller *caller, __u64 address, char *text, size_t size) {
    for (size_t have = 0; have < size;) {
        size_t part = PAGE - (size_t)((address + have) % PAGE);
        if (part > size - have) part = size - have;
        if (!read_memory(caller, address + have, text + have, part)) return -EFAULT;
        if (memchr(text + have, '\0', part)) return 0;
        have += part;
    }
    return -ENAMETOOLONG;
}

static bool read_memory(const struct caller *caller, __u64 address, void *into, size_t size) {
    return pread(caller->memory, into, size, (off_t)address) == (ssize_t)size;
}

static int outcome(long result) {
    return result < 0 ? -errno : (int)result;
}
