/*
 * Messages on Node's IPC channel: one JSON text per line. A line with the `cmd` NODE_HANDLE carries a descriptor, from which
 * Node creates an object of the class `type`.
 */
#include "entry.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ACKNOWLEDGED_WITHIN_MS 10000

static bool tell(int channel, const char *line, int descriptor);
static ssize_t hear(int channel, char *text, size_t most);

/* True until Node acknowledges the descriptor. */
static bool is_unacknowledged = false;

void tell_handle(int channel, int listener) {
    is_unacknowledged =
        tell(channel, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Server\",\"msg\":{\"listening\":true}}\n", listener);
}

void await_acknowledgement(int channel) {
    char text[512];
    while (is_unacknowledged) {
        struct pollfd watched = {.fd = channel, .events = POLLIN};
        int found = poll(&watched, 1, ACKNOWLEDGED_WITHIN_MS);
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) return;
        ssize_t size = hear(channel, text, sizeof text);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return;
    }
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
    ssize_t size = hear(channel, text, sizeof text);
    if (size == 0) return -2;
    if (size < 0) return errno == EAGAIN || errno == EINTR ? -1 : -2;
    const char *found = strstr(text, "\"end\":");
    if (!found) return -1;
    long grace = strtol(found + strlen("\"end\":"), NULL, 10);
    return grace < 0 || grace > 86400000 ? 0 : (int)grace;
}

static ssize_t hear(int channel, char *text, size_t most) {
    ssize_t size = recv(channel, text, most - 1, MSG_DONTWAIT);
    if (size > 0) {
        text[size] = '\0';
        if (strstr(text, "NODE_HANDLE_")) is_unacknowledged = false;
    }
    return size;
}

/* Must not block: other code detects a parent that has exited or does not read. */
static bool tell(int channel, const char *line, int descriptor) {
    return channel >= 0 && send_descriptor(channel, line, strlen(line), descriptor);
}

bool send_descriptor(int to, const void *bytes, size_t size, int descriptor) {
    struct iovec text = {.iov_base = (void *)bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    if (descriptor >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    ssize_t sent;
    while ((sent = sendmsg(to, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
    return sent >= 0;
}
