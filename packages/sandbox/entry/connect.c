/* Connects through the proxy in HTTP_PROXY; for programs such as ssh that can use a command as their connection. */
#define _GNU_SOURCE
#include "entry.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct proxy {
    struct sockaddr_in address;
    char credential[512]; /* base64, or empty */
};

static bool read_proxy(struct proxy *proxy);
static void to_base64(const char *text, size_t size, char *out);
static bool ask(int server, const struct proxy *proxy, const char *host, const char *port);
static int carry(int server);
static bool write_all(int target, const char *bytes, size_t size);
static int complain(const char *what);

int connect_through_proxy(const char *host, const char *port) {
    struct proxy proxy = {0};
    if (!read_proxy(&proxy)) return complain("HTTP_PROXY must be http://[user:password@]address:port");
    if (strlen(host) > 255 || strlen(port) > 5 || strpbrk(host, " \r\n\t/") || strspn(port, "0123456789") != strlen(port)) {
        return complain("not a host and a port");
    }
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || connect(server, (struct sockaddr *)&proxy.address, sizeof proxy.address)) {
        return complain(strerror(errno));
    }
    return ask(server, &proxy, host, port) ? carry(server) : 1;
}

static bool read_proxy(struct proxy *proxy) {
    const char *url = getenv("HTTP_PROXY");
    if (!url) url = getenv("http_proxy");
    if (!url || strncmp(url, "http://", 7) != 0) return false;
    url += 7;
    const char *at = strchr(url, '@');
    if (at) {
        if ((size_t)(at - url) > 300) return false;
        to_base64(url, (size_t)(at - url), proxy->credential);
        url = at + 1;
    }
    char host[64];
    const char *colon = strchr(url, ':');
    if (!colon || (size_t)(colon - url) >= sizeof host) return false;
    memcpy(host, url, (size_t)(colon - url));
    host[colon - url] = '\0';
    long port = strtol(colon + 1, NULL, 10);
    proxy->address.sin_family = AF_INET;
    proxy->address.sin_port = htons((unsigned short)port);
    return port > 0 && port < 65536 && inet_pton(AF_INET, host, &proxy->address.sin_addr) == 1;
}

static void to_base64(const char *text, size_t size, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t at = 0; at < size; at += 3) {
        unsigned group = (unsigned)bytes[at] << 16;
        if (at + 1 < size) group |= (unsigned)bytes[at + 1] << 8;
        if (at + 2 < size) group |= bytes[at + 2];
        *out++ = digits[group >> 18];
        *out++ = digits[group >> 12 & 63];
        *out++ = at + 1 < size ? digits[group >> 6 & 63] : '=';
        *out++ = at + 2 < size ? digits[group & 63] : '=';
    }
    *out = '\0';
}

/* Reads byte by byte, because the stream begins right after the header. */
static bool ask(int server, const struct proxy *proxy, const char *host, const char *port) {
    char text[2048];
    bool is_v6 = strchr(host, ':') != NULL && host[0] != '[';
    int size = snprintf(text, sizeof text, "CONNECT %s%s%s:%s HTTP/1.1\r\nHost: %s%s%s:%s\r\n%s%s%s\r\n", is_v6 ? "[" : "",
                        host, is_v6 ? "]" : "", port, is_v6 ? "[" : "", host, is_v6 ? "]" : "", port,
                        proxy->credential[0] ? "Proxy-Authorization: Basic " : "", proxy->credential,
                        proxy->credential[0] ? "\r\n" : "");
    if (size < 0 || size >= (int)sizeof text || !write_all(server, text, (size_t)size)) return complain("no proxy") == 0;
    char answer[8192] = {0};
    for (size_t have = 0; have < sizeof answer - 1;) {
        if (read(server, answer + have, 1) != 1) break;
        have++;
        if (have < 4 || memcmp(answer + have - 4, "\r\n\r\n", 4) != 0) continue;
        if (strncmp(answer, "HTTP/1.", 7) == 0 && strncmp(answer + 8, " 2", 2) == 0) return true;
        break;
    }
    answer[strcspn(answer, "\r\n")] = '\0';
    complain(answer[0] ? answer : "the proxy closed the connection");
    return false;
}

static int carry(int server) {
    struct pollfd ends[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = server, .events = POLLIN}};
    char bytes[65536];
    for (;;) {
        if (poll(ends, 2, -1) < 0 && errno != EINTR) return 1;
        if (ends[0].revents) {
            ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
            if (size <= 0) {
                shutdown(server, SHUT_WR);
                ends[0].fd = -1;
            } else if (!write_all(server, bytes, (size_t)size)) {
                return 1;
            }
        }
        if (ends[1].revents) {
            ssize_t size = read(server, bytes, sizeof bytes);
            if (size <= 0) return size < 0;
            if (!write_all(STDOUT_FILENO, bytes, (size_t)size)) return 1;
        }
    }
}

static bool write_all(int target, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(target, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static int complain(const char *what) {
    fprintf(stderr, "switchyard-sandbox-entry: %s\n", what);
    return 1;
}
