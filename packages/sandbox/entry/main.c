#include "entry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_plan(struct plan *plan, int count, char **words);
static const char *value_of(int count, char **words, int *at);
static unsigned long long number_of(int count, char **words, int *at, unsigned long long most);
static void refuse(const char *what, const char *word);

static const char USAGE[] =
    "switchyard-sandbox-entry run [options] -- FILE ARGV0 [ARGUMENT...]\n"
    "switchyard-sandbox-entry connect HOST PORT\n"
    "switchyard-sandbox-entry probe PARENT PORT FOREIGN_FILE OWN_FOLDER\n";

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "run") == 0) {
        static struct plan plan;
        int first = read_plan(&plan, count, words);
        plan.file = words[first];
        plan.arguments = words + first + 1;
        return run_command(&plan);
    }
    if (count == 4 && strcmp(words[1], "connect") == 0) {
        return connect_through_proxy(words[2], words[3]);
    }
    if (count > 1 && strcmp(words[1], "probe") == 0) {
        return probe_confinement(count - 2, words + 2);
    }
    fputs(USAGE, stderr);
    return 64;
}

/* Reads the options into the plan; returns the index of the command. */
static int read_plan(struct plan *plan, int count, char **words) {
    plan->channel = -1;
    for (int at = 2; at < count; at++) {
        const char *word = words[at];
        if (strcmp(word, "--") == 0) {
            if (at + 2 >= count) refuse("a file and its argv[0] are missing after", word);
            return at + 1;
        } else if (strcmp(word, "--channel") == 0) {
            plan->channel = (int)number_of(count, words, &at, 1023);
        } else if (strcmp(word, "--group") == 0) {
            plan->group = value_of(count, words, &at);
        } else if (strcmp(word, "--listen") == 0) {
            plan->listen_port = (int)number_of(count, words, &at, 65535);
        } else if (strcmp(word, "--landlock") == 0) {
            plan->uses_landlock = true;
        } else if (strcmp(word, "--read-only") == 0) {
            if (plan->read_only_count == MAX_PATHS) refuse("too many paths", word);
            plan->read_only[plan->read_only_count++].path = value_of(count, words, &at);
        } else if (strcmp(word, "--read-write") == 0) {
            if (plan->read_write_count == MAX_PATHS) refuse("too many paths", word);
            plan->read_write[plan->read_write_count++].path = value_of(count, words, &at);
        } else if (strcmp(word, "--connect") == 0) {
            plan->connect_port = (int)number_of(count, words, &at, 65535);
        } else if (strcmp(word, "--any-network") == 0) {
            plan->any_network = true;
        } else if (strcmp(word, "--own-network") == 0) {
            plan->has_own_network = true;
        } else if (strcmp(word, "--unset") == 0) {
            unsetenv(value_of(count, words, &at)); /* variables that bubblewrap sets */
        } else if (strcmp(word, "--processes") == 0) {
            plan->processes = number_of(count, words, &at, 1 << 22);
        } else if (strcmp(word, "--watchers") == 0) {
            plan->watchers = number_of(count, words, &at, 1 << 22);
        } else if (strcmp(word, "--open-files") == 0) {
            plan->open_files = number_of(count, words, &at, 1 << 30);
        } else if (strcmp(word, "--file-bytes") == 0) {
            plan->file_bytes = number_of(count, words, &at, 1ULL << 62);
        } else {
            refuse("unknown option", word);
        }
    }
    refuse("missing", "--");
    return count;
}

static const char *value_of(int count, char **words, int *at) {
    if (*at + 1 >= count) refuse("a value is missing after", words[*at]);
    return words[++*at];
}

static unsigned long long number_of(int count, char **words, int *at, unsigned long long most) {
    const char *text = value_of(count, words, at);
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number > most) {
        refuse("not a number in range", text);
    }
    return number;
}

static void refuse(const char *what, const char *word) {
    fprintf(stderr, "switchyard-sandbox-entry: %s: %s\n%s", what, word, USAGE);
    exit(64);
}
