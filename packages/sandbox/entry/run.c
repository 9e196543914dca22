#define _GNU_SOURCE
#include "entry.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UNASKED_GRACE_MS 2000
/* Pauses between measurements of a run's CPU time; each is twice the previous one. */
#define FIRST_LOOK_MS 500
#define LONGEST_PAUSE_MS 16000

/* A step that failed before exec; the child sends it to this process. */
struct failure {
    char step[32];
    int error;
};

static int close_from(int first);
static int open_listener(int port);
static pid_t start(const struct plan *plan, struct failure *failure, int *listener);
static ssize_t hear_report(int report, struct failure *failure, int *listener);
static bool send_report(int report, const struct failure *failure, int listener);
static void become_command(const struct plan *plan, int report);
static void execute(const struct plan *plan);
static void forget_environment(void);
static int supervise(const struct plan *plan, pid_t command, int signals, int listener);
static bool reap(const struct plan *plan, pid_t command);
static void end_all(const struct plan *plan, pid_t command);
static int fail(const struct plan *plan, const char *step, int error);
static long long now_ms(void);

extern char **environ;
static sigset_t inherited_mask;

/*
 * Supervises the command from outside its sandbox, as the first process of a pid namespace or as the subreaper of all
 * descendants. All processes of the command end with this process.
 */
int run_command(struct plan *plan) {
    /* With bubblewrap, the runner has done this. Must precede PR_SET_DUMPABLE, which gives /proc/self to root. */
    const char *step = plan->uses_landlock ? enter_group(plan) : NULL;
    if (!step && plan->uses_landlock) step = become_expendable();
    if (step) return fail(plan, step, errno);
    /* Prevents the command, which has the same user, from tracing this process or reading its memory. */
    if (prctl(PR_SET_DUMPABLE, 0)) return fail(plan, "dumpable", errno);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return fail(plan, "no_new_privs", errno);
    /* Closes inherited descriptors, because one may be of the working directory outside the sandbox. */
    if (close_from(plan->channel < 3 ? 3 : plan->channel + 1)) return fail(plan, "descriptors", errno);
    if (plan->channel >= 0) fcntl(plan->channel, F_SETFD, FD_CLOEXEC);
    unsetenv("NODE_CHANNEL_FD");
    unsetenv("NODE_CHANNEL_SERIALIZATION_MODE");

    if (plan->listen_port) {
        int listener = open_listener(plan->listen_port);
        if (listener < 0) return fail(plan, "listen", errno);
        tell_handle(plan->channel, listener);
        close(listener);
    }
    if (getpid() != 1) {
        if (!plan->uses_landlock) return fail(plan, "pid_namespace", EINVAL);
        if (prctl(PR_SET_CHILD_SUBREAPER, 1)) return fail(plan, "subreaper", errno);
        step = scope_supervisor();
        if (!step) step = open_places(plan);
        if (step) return fail(plan, step, errno);
    }
    /* Drops the supervisor's capabilities, because it performs calls for the command. */
    step = plan->uses_landlock ? NULL : limit_watchers(plan);
    if (!step) step = drop_capabilities();
    if (step) return fail(plan, step, errno);

    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGINT);
    sigaddset(&awaited, SIGHUP);
    sigprocmask(SIG_BLOCK, &awaited, &inherited_mask);
    int signals = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) return fail(plan, "signalfd", errno);

    struct failure failure = {0};
    int listener = -1;
    pid_t command = start(plan, &failure, &listener);
    if (command < 0) return fail(plan, failure.step, failure.error);
    tell_executed(plan->channel);
    forget_environment();
    /* With these descriptors open, the output would not end when the command's processes close it. */
    for (int descriptor = 0; descriptor < 3; descriptor++) close(descriptor);
    return supervise(plan, command, signals, listener);
}

/* Linux before 5.9 has no close_range. */
static int close_from(int first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return 0;
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most)) return -1;
    for (int descriptor = first; descriptor < (int)most.rlim_cur; descriptor++) close(descriptor);
    return 0;
}

static int open_listener(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address)) return -1;
    return listen(listener, 511) ? -1 : listener;
}

/*
 * Forks, and waits until the child has executed the command. The child first sends the listener for the calls that this
 * process answers. A successful exec then closes the socket; otherwise the child sends the failed step.
 */
static pid_t start(const struct plan *plan, struct failure *failure, int *listener) {
    int report[2];
    strcpy(failure->step, "fork");
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, report)) {
        failure->error = errno;
        return -1;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        failure->error = errno;
        return -1;
    }
    if (child == 0) {
        close(report[0]);
        /* The parent may have exited before prctl, so its id is checked. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        become_command(plan, report[1]);
    }
    close(report[1]);
    ssize_t size = hear_report(report[0], failure, listener);
    if (size > 0 && *listener >= 0) size = hear_report(report[0], failure, listener);
    close(report[0]);
    if (size == 0) return child;
    waitpid(child, NULL, 0);
    return -1;
}

static ssize_t hear_report(int report, struct failure *failure, int *listener) {
    struct iovec text = {.iov_base = failure, .iov_len = sizeof *failure};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t size;
    while ((size = recvmsg(report, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (size > 0 && header && header->cmsg_type == SCM_RIGHTS) memcpy(listener, CMSG_DATA(header), sizeof *listener);
    return size;
}

static bool send_report(int report, const struct failure *failure, int listener) {
    return send_descriptor(report, failure, sizeof *failure, listener);
}

/* Landlock comes before the filter, which refuses calls that Landlock needs. */
static void become_command(const struct plan *plan, int report) {
    const char *step = "session";
    struct failure failure = {0};
    errno = 0;
    if (setsid() >= 0) {
        sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
        int listener = -1;
        unsigned long long others = 0;
        step = count_others(plan, &others); /* Landlock denies access to /proc */
        if (!step) step = plan->uses_landlock ? restrict_files_and_ports(plan) : scope_command();
        if (!step) step = filter_system_calls(plan, &listener);
        if (!step && listener >= 0) {
            if (!send_report(report, &failure, listener)) step = "listener";
            close(listener);
        }
        /* The resource limits come last, because the other steps open descriptors. */
        if (!step) step = limit_resources(plan, others);
        if (!step) {
            execute(plan);
            step = "execute";
        }
    }
    failure.error = errno;
    strncpy(failure.step, step, sizeof failure.step - 1);
    _exit(send_report(report, &failure, -1) ? 127 : 126);
}

/* Like execvp(3), runs a text file without an interpreter line with the shell. */
static void execute(const struct plan *plan) {
    execve(plan->file, plan->arguments, environ);
    if (errno != ENOEXEC) return;
    size_t count = 0;
    while (plan->arguments[count]) count++;
    char **words = calloc(count + 2, sizeof *words);
    if (!words) return;
    words[0] = (char *)"sh";
    words[1] = (char *)plan->file;
    for (size_t at = 1; at < count; at++) words[at + 1] = plan->arguments[at];
    execve("/bin/sh", words, environ);
}

/* Erases the variables, so that they neither show the command's tokens nor identify this process as one of the run. */
static void forget_environment(void) {
    for (char **variable = environ; variable && *variable; variable++) memset(*variable, 0, strlen(*variable));
}

static int supervise(const struct plan *plan, pid_t command, int signals, int listener) {
    long long kill_at = -1;
    long long pause_ms = FIRST_LOOK_MS;
    long long look_at = now_ms() + pause_ms;
    struct pollfd watched[] = {
        {.fd = signals, .events = POLLIN}, {.fd = plan->channel, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    while (!reap(plan, command)) {
        long long now = now_ms();
        if (kill_at >= 0 && now >= kill_at) break;
        if (now >= look_at) {
            give_way();
            if (pause_ms < LONGEST_PAUSE_MS) pause_ms *= 2;
            look_at = now + pause_ms;
        }
        long long next = kill_at < 0 || look_at < kill_at ? look_at : kill_at;
        int wait_ms = next > now ? (int)(next - now) : 0;
        if (poll(watched, 3, wait_ms) < 0) {
            if (errno != EINTR) break;
            continue;
        }
        if (watched[2].revents & POLLIN) answer_call(plan, listener);
        else if (watched[2].revents) watched[2].fd = -1; /* no process of the command is left */
        struct signalfd_siginfo received;
        int grace = -1;
        while (read(signals, &received, sizeof received) == (ssize_t)sizeof received) {
            if (received.ssi_signo != SIGCHLD) grace = UNASKED_GRACE_MS;
        }
        if (plan->channel >= 0 && watched[1].revents) {
            int asked = hear_end(plan->channel);
            if (asked == -2) break; /* the parent has exited */
            if (asked >= 0) grace = asked;
        }
        if (grace < 0) continue;
        long long at = now_ms() + grace;
        if (kill_at < 0) kill(-1, SIGTERM);
        if (kill_at < 0 || at < kill_at) kill_at = at;
    }
    end_all(plan, command);
    await_acknowledgement(plan->channel);
    return 0;
}

/* Reaps ended processes; returns true if none is left. */
static bool reap(const struct plan *plan, pid_t command) {
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended == 0) return false;
        if (ended < 0) return errno == ECHILD;
        if (ended == command) tell_ended(plan->channel, status);
    }
}

/* A signal to -1 reaches only the pid namespace, or the Landlock domain of this process. */
static void end_all(const struct plan *plan, pid_t command) {
    while (!reap(plan, command)) {
        kill(-1, SIGKILL);
        int status;
        pid_t ended = waitpid(-1, &status, 0);
        if (ended == command) tell_ended(plan->channel, status);
    }
}

static int fail(const struct plan *plan, const char *step, int error) {
    tell_failed(plan->channel, step, error);
    await_acknowledgement(plan->channel);
    if (plan->channel < 0) fprintf(stderr, "switchyard-sandbox-entry: %s: %s\n", step, strerror(error));
    return 127;
}

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}
