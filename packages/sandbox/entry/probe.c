/* Tries what the sandbox must prevent. A sandbox that does not prevent all of it is not used. */
#define _GNU_SOURCE
#include "entry.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static bool connects(int port);
static bool reads(const char *path);
static bool writes(const char *folder);
static bool changes_modes(const char *folder);

int probe_confinement(int count, char **arguments) {
    if (count != 4) return 64;
    pid_t parent = (pid_t)atoi(arguments[0]);
    char environment[64];
    snprintf(environment, sizeof environment, "/proc/%d/environ", (int)parent);
    /* In a pid namespace, ids up to ours are of our own processes. */
    bool is_elsewhere = getppid() == 1 && parent <= getpid();
    const char *found = NULL;
    if (!writes(arguments[3])) found = "can't write to its own folder";
    else if (!changes_modes(arguments[3])) found = "can't change the modes of its own files";
    else if (reads(arguments[2])) found = "reads files outside of its folders";
    else if (!is_elsewhere && reads(environment)) found = "reads the environment of the process that started it";
    else if (!is_elsewhere && kill(parent, 0) == 0) found = "may send signals to the process that started it";
    else if (connects(atoi(arguments[1]))) found = "connects to a port of this machine";
    else if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) found = "may gain privileges";
    else if (prctl(PR_GET_SECCOMP) != 2) found = "has no filter of system calls";
    else if (unshare(CLONE_NEWUSER) == 0) found = "makes user namespaces";
    else if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) found = "traces processes";
    puts(found ? found : "confined");
    return found ? 1 : 0;
}

static bool connects(int port) {
    int client = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return client >= 0 && connect(client, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool reads(const char *path) {
    char byte;
    int file = open(path, O_RDONLY);
    return file >= 0 && read(file, &byte, 1) >= 0;
}

static bool writes(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/probe", folder);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    return file >= 0 && write(file, "x", 1) == 1 && unlink(path) == 0;
}

/* The kernel may prevent a supervisor from reading the path. */
static bool changes_modes(const char *folder) {
    return chmod(folder, 0700) == 0;
}
