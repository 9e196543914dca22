/*
 * Messages on the channel that Node opens for a child ("ipc"): one JSON text a line. A line whose `cmd` is NODE_HANDLE
 * carries a descriptor, which Node turns into the object that `type` names.
 */
#include "entry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(int channel, const char *line, int descriptor);

void tell_handle(int channel, int listener) {
    tell(channel, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Server\",\"msg\":{\"listening\":true}}\n", listener);
}

void tell_executed(int channel) {
    tell(channel, "{\"executed\":true}\n", -1);
}

void tell_failed(int channel, const char *step, int error) {
    char line[256];
    snprintf(line, sizeof line, "{\"failed\":{\"step\":\"%s\",\"errno\":%d,\"text\":\"%s\"}}\n", step, error, strerror(error));
    tell(channel, line, -1);
}

void tell_ended(int channel, int status) {
    char line[64];
    bool was_signalled = WIFSIGNALED(status);
    int number = was_signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    snprintf(line, sizeof line, "{\"ended\":{\"%s\":%d}}\n", was_signalled ? "signal" : "code", number);
    tell(channel, line, -1);
}

int hear_end(int channel) {
    char text[512];
    ssize_t size = recv(channel, text, sizeof text - 1, MSG_DONTWAIT);
    if (size == 0) return -2;
    if (size < 0) return errno == EAGAIN || errno == EINTR ? -1 : -2;
    text[size] = '\0';
    const char *found = strstr(text, "\"end\":");
    if (!found) return -1; /* Node acknowledges the handle */
    long grace = strtol(found + strlen("\"end\":"), NULL, 10);
    return grace < 0 || grace > 86400000 ? 0 : (int)grace;
}

/* A parent that is gone or does not read is noticed elsewhere: here nothing may wait for it. */
static void tell(int channel, const char *line, int descriptor) {
    if (channel < 0) return;
    struct iovec text = {.iov_base = (void *)line, .iov_len = strlen(line)};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    while (sendmsg(channel, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}
