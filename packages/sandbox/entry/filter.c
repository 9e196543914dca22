/*
 * Filters the command's system calls: refuses those that affect other processes or kernel settings, or open namespaces or
 * networks. Namespaces and Landlock control the access to files.
 */
#define _GNU_SOURCE
#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/fiemap.h>
#include <linux/seccomp.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#define X32_CALLS 0x40000000u
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "no filter for this architecture"
#endif

#define NEW_NAMESPACES                                                                                  \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |         \
     CLONE_NEWNET)
#define NEW_TIME_NAMESPACE 0x80
#define IOPRIO_OF_USER 3
#define TYPE_OF_SOCKET 0xf
#define FAST_OPEN 0x20000000
#define READ_IMPLIES_EXECUTE 0x0400000
#define EVERYTHING 0xffffffffu

/* Missing in older kernel headers. The numbers are the same on both architectures. */
enum {
    PIDFD_GETFD = 438,
    OPEN_TREE = 428,
    MOVE_MOUNT = 429,
    FSOPEN = 430,
    FSCONFIG = 431,
    FSMOUNT = 432,
    FSPICK = 433,
    CLONE3 = 435,
    PROCESS_MADVISE = 440,
    MOUNT_SETATTR = 442,
    QUOTACTL_FD = 443,
    PROCESS_MRELEASE = 448,
    OPENAT2 = 437,
    FCHMODAT2 = 452,
    SETXATTRAT = 463,
    REMOVEXATTRAT = 466,
    OPEN_TREE_ATTR = 467,
    FILE_SETATTR = 469,
};

static const int FORBIDDEN[] = {
    /* other processes */
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_migrate_pages, SYS_move_pages, PIDFD_GETFD,
    PROCESS_MADVISE, PROCESS_MRELEASE,
    /* the user's keys, and kernel interfaces */
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup,
    SYS_io_uring_enter, SYS_io_uring_register, SYS_lookup_dcookie, SYS_nfsservctl,
    /* mounts */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_open_by_handle_at, SYS_fanotify_init, OPEN_TREE,
    OPEN_TREE_ATTR, MOVE_MOUNT, FSOPEN, FSCONFIG, FSMOUNT, FSPICK, MOUNT_SETATTR, SYS_quotactl, QUOTACTL_FD, SYS_swapon,
    SYS_swapoff,
    /* the machine */
    SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct,
    SYS_syslog, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname,
    SYS_vhangup,
#if defined(__x86_64__)
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS__sysctl, SYS_create_module,
    SYS_get_kernel_syms, SYS_query_module,
#endif
};

/* Without an IPC namespace, these give access to memory that the user's other processes share, e.g. a database's. */
static const int SHARED_MEMORY_AND_QUEUES[] = {
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop,  SYS_semtimedop, SYS_semctl,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
};

/* Newer forms of guarded calls. C libraries fall back to the older forms. */
static const int UNGUARDED[] = {SETXATTRAT, REMOVEXATTRAT, FILE_SETATTR};

#define MAX_INSTRUCTIONS 1024
static struct sock_filter program[MAX_INSTRUCTIONS];
static unsigned short length;
static bool guards_calls; /* the supervisor performs the calls of guard.c */

static void add(unsigned short code, unsigned value, unsigned char when_true, unsigned char when_false);
static void give(unsigned result);
static void begin(void);
static void for_call(int call, unsigned char size);
static void refuse(int call, int error);
static void refuse_all(const int *calls, size_t count, int error);
static void refuse_argument_bits(int call, int argument, unsigned bits, int error);
static void allow_only_argument(int call, int argument, unsigned value);
static void allow_only_own(int call, unsigned of_user);
static void refuse_special_modes(void);
static void filter_device_control(const struct plan *plan);
static void filter_sockets(const struct plan *plan);

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define ARGUMENT(number) (offsetof(struct seccomp_data, args) + (number) * 8) /* the low half, because both architectures are little-endian */

const char *filter_system_calls(const struct plan *plan, int *listener) {
    guards_calls = plan->uses_landlock;
    begin();
    refuse_all(FORBIDDEN, COUNT(FORBIDDEN), EPERM);
    /* A filter cannot read the flags of clone3, which are in memory. C libraries fall back to clone. */
    refuse(CLONE3, ENOSYS);
    refuse_argument_bits(SYS_clone, 0, NEW_NAMESPACES, EPERM);
    refuse_argument_bits(SYS_unshare, 0, NEW_NAMESPACES | NEW_TIME_NAMESPACE, EPERM);
    refuse_argument_bits(SYS_personality, 0, READ_IMPLIES_EXECUTE, EPERM);
    refuse_special_modes();
    filter_device_control(plan);
    filter_sockets(plan);
    if (plan->uses_landlock) {
        refuse_all(SHARED_MEMORY_AND_QUEUES, COUNT(SHARED_MEMORY_AND_QUEUES), EPERM);
        /* These calls can affect other processes of the user, and Landlock does not restrict them. */
        allow_only_argument(SYS_prlimit64, 0, 0);
        allow_only_own(SYS_setpriority, PRIO_USER);
        allow_only_own(SYS_ioprio_set, IOPRIO_OF_USER);
        allow_only_argument(SYS_sched_setscheduler, 0, 0);
        allow_only_argument(SYS_sched_setparam, 0, 0);
        allow_only_argument(SYS_sched_setattr, 0, 0);
        allow_only_argument(SYS_sched_setaffinity, 0, 0);
        /* listen fails, because other programs of the host could connect. A false success would make event loops spin. */
        refuse(SYS_listen, EACCES);
        refuse_all(UNGUARDED, COUNT(UNGUARDED), ENOSYS);
    }
    /* Refuses later filters with a listener, which could receive the guarded calls and allow them. */
    refuse_argument_bits(SYS_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER, EBUSY);
    for (size_t at = 0; guards_calls && guarded_call(at) >= 0; at++) {
        for_call(guarded_call(at), 1);
        give(SECCOMP_RET_USER_NOTIF);
    }
    give(SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {.len = length, .filter = program};
    /* Only a kill interrupts a call that the supervisor has received: a restarted call would be performed twice. */
    unsigned flags = guards_calls ? SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV : 0;
    long installed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    *listener = guards_calls ? (int)installed : -1;
    return installed < 0 ? "seccomp" : NULL;
}

static void add(unsigned short code, unsigned value, unsigned char when_true, unsigned char when_false) {
    if (length == MAX_INSTRUCTIONS) __builtin_trap();
    program[length++] = (struct sock_filter){code, when_true, when_false, value};
}

static void load(size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void give(unsigned result) {
    add(BPF_RET | BPF_K, result, 0, 0);
}

static unsigned errno_of(int error) {
    return SECCOMP_RET_ERRNO | (unsigned)error;
}

/* Refuses calls of other architectures, because their numbers differ. Leaves the number loaded. */
static void begin(void) {
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(struct seccomp_data, nr));
#ifdef X32_CALLS
    add(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
    give(errno_of(ENOSYS));
#endif
}

static void allow(int call) {
    give(guards_calls && is_guarded(call) ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW);
}

/* Applies the next `size` instructions only to `call`; the last of them must return. */
static void for_call(int call, unsigned char size) {
    add(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, size);
}

static void refuse(int call, int error) {
    for_call(call, 1);
    give(errno_of(error));
}

static void refuse_all(const int *calls, size_t count, int error) {
    for (size_t at = 0; at < count; at++) refuse(calls[at], error);
}

static void refuse_argument_bits(int call, int argument, unsigned bits, int error) {
    for_call(call, 4);
    load(ARGUMENT(argument));
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    give(errno_of(error));
    allow(call);
}

static void allow_only_argument(int call, int argument, unsigned value) {
    for_call(call, 4);
    load(ARGUMENT(argument));
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    give(errno_of(EPERM));
    give(SECCOMP_RET_ALLOW);
}

/*
 * Allows the call only with zero, the caller, as the second argument. Refuses `of_user` as the first, with which zero
 * means the whole account.
 */
static void allow_only_own(int call, unsigned of_user) {
    for_call(call, 6);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JEQ | BPF_K, of_user, 2, 0);
    load(ARGUMENT(1));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    give(errno_of(EPERM));
    give(SECCOMP_RET_ALLOW);
}

/*
 * Refuses the set-user-ID and set-group-ID bits, like RestrictSUIDSGID of systemd. A filter cannot read the mode of openat2,
 * which is in memory; its callers fall back to openat.
 */
static void refuse_special_modes(void) {
    static const struct { int call, mode, flags; } MODES[] = {
        {SYS_fchmod, 1, -1}, {SYS_fchmodat, 2, -1}, {FCHMODAT2, 2, -1}, {SYS_mknodat, 2, -1}, {SYS_openat, 3, 2},
#if defined(__x86_64__)
        {SYS_chmod, 1, -1}, {SYS_mknod, 1, -1}, {SYS_creat, 1, -1}, {SYS_open, 2, 1},
#endif
    };
    for (size_t at = 0; at < COUNT(MODES); at++) {
        if (MODES[at].flags < 0) {
            refuse_argument_bits(MODES[at].call, MODES[at].mode, S_ISUID | S_ISGID, EPERM);
            continue;
        }
        /* Checks the mode only with these flags, because it is undefined without them. */
        for_call(MODES[at].call, 6);
        load(ARGUMENT(MODES[at].flags));
        add(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3);
        load(ARGUMENT(MODES[at].mode));
        add(BPF_JMP | BPF_JSET | BPF_K, S_ISUID | S_ISGID, 0, 1);
        give(errno_of(EPERM));
        give(SECCOMP_RET_ALLOW);
    }
    refuse(OPENAT2, ENOSYS);
}

/*
 * Refuses ioctl calls that simulate terminal input. Under Landlock, which restricts ioctl calls only on devices, refuses
 * all but the necessary calls on files: others change a file's flags, or create subvolumes in read-only folders.
 */
static void filter_device_control(const struct plan *plan) {
    static const unsigned OF_FILES[] = {FICLONE, FICLONERANGE, FIDEDUPERANGE, FS_IOC_GETFLAGS, FS_IOC_FSGETXATTR,
                                        FS_IOC_FIEMAP, FIGETBSZ, FIOQSIZE};
    unsigned short jump = length;
    for_call(SYS_ioctl, 0);
    load(ARGUMENT(1));
    add(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
    give(errno_of(EPERM));
    if (plan->uses_landlock) {
        for (size_t at = 0; at < COUNT(OF_FILES); at++) {
            add(BPF_JMP | BPF_JEQ | BPF_K, OF_FILES[at], 0, 1);
            give(SECCOMP_RET_ALLOW);
        }
        add(BPF_ALU | BPF_AND | BPF_K, 0xffffff00, 0, 0);
        add(BPF_JMP | BPF_JEQ | BPF_K, TCGETS & ~0xffu, 2, 0); /* terminals, FIONREAD and similar */
        add(BPF_JMP | BPF_JEQ | BPF_K, SIOCATMARK & ~0xffu, 1, 0); /* sockets */
        give(errno_of(ENOTTY));
    }
    give(SECCOMP_RET_ALLOW);
    program[jump].jf = (unsigned char)(length - jump - 1);
}

/* Allows sockets of `family`: all if `protocol` is EVERYTHING, else those of `type` with `protocol` or protocol 0. */
static void allow_socket(unsigned family, unsigned type, unsigned protocol) {
    load(ARGUMENT(0));
    if (protocol == EVERYTHING) {
        add(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 1);
        give(SECCOMP_RET_ALLOW);
        return;
    }
    add(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 7);
    load(ARGUMENT(1));
    add(BPF_ALU | BPF_AND | BPF_K, TYPE_OF_SOCKET, 0, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, type, 0, 4);
    load(ARGUMENT(2));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, protocol, 0, 1);
    give(SECCOMP_RET_ALLOW);
}

/* Under Landlock, refuses datagram pairs: unlike other pairs, they can send to any socket of the file system. */
static void filter_pairs(const struct plan *plan) {
    for_call(SYS_socketpair, plan->uses_landlock ? 9 : 4);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
    give(errno_of(EACCES));
    if (plan->uses_landlock) {
        load(ARGUMENT(1));
        add(BPF_ALU | BPF_AND | BPF_K, TYPE_OF_SOCKET, 0, 0);
        add(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 2, 0);
        add(BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 1, 0);
        give(errno_of(EACCES));
    }
    give(SECCOMP_RET_ALLOW);
}

/*
 * Allows only protocols that a network namespace or Landlock's TCP rules confine: not vsock, raw packets or multipath TCP.
 * Without namespaces, also refuses Unix sockets and TCP Fast Open, because Landlock does not check their connections.
 */
static void filter_sockets(const struct plan *plan) {
    bool confines_ports = plan->uses_landlock && !plan->any_network;
    unsigned short jump = length;
    for_call(SYS_socket, 0);
    allow_socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    allow_socket(AF_INET6, SOCK_STREAM, IPPROTO_TCP);
    if (plan->any_network || plan->has_own_network) {
        allow_socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
        allow_socket(AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
    }
    allow_socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    allow_socket(AF_NETLINK, SOCK_DGRAM, NETLINK_ROUTE);
    if (!plan->uses_landlock) allow_socket(AF_UNIX, 0, EVERYTHING);
    give(errno_of(EACCES));
    program[jump].jf = (unsigned char)(length - jump - 1);
    filter_pairs(plan);
    if (!confines_ports) return;
    refuse_argument_bits(SYS_sendto, 3, FAST_OPEN, EPERM);
    refuse_argument_bits(SYS_sendmsg, 2, FAST_OPEN, EPERM);
    refuse_argument_bits(SYS_sendmmsg, 3, FAST_OPEN, EPERM);
}
