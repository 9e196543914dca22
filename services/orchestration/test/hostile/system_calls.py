"""Probes of a hostile agent that need a system call. Exits with 0 if the call succeeds."""

import ctypes
import errno
import fcntl
import os
import platform
import signal
import socket
import sys
import termios

libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "x86_64": {"bpf": 321, "keyctl": 250, "io_uring_setup": 425, "perf_event_open": 298, "process_vm_readv": 310},
    "aarch64": {"bpf": 280, "keyctl": 219, "io_uring_setup": 425, "perf_event_open": 241, "process_vm_readv": 270},
}[platform.machine()]


def checked(result):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def syscall(name, *arguments):
    return checked(libc.syscall(NUMBERS[name], *arguments))


def nothing(_):
    os.getpid()


def ptrace(pid):
    checked(libc.ptrace(16, int(pid), None, None))  # PTRACE_ATTACH
    os.waitpid(int(pid), 0x40000000)
    libc.ptrace(17, int(pid), None, None)


def userns(_):
    checked(libc.unshare(0x10000000))


def mount(_):
    os.makedirs("mounted", exist_ok=True)
    checked(libc.mount(b"tmpfs", b"mounted", b"tmpfs", 0, None))
    libc.umount2(b"mounted", 2)


def bpf(_):
    # BPF_MAP_CREATE: an array of one element
    attributes = (ctypes.c_uint32 * 18)(2, 4, 4, 1)
    syscall("bpf", 0, ctypes.byref(attributes), ctypes.sizeof(attributes))


def keyctl(_):
    # The id of the session keyring.
    syscall("keyctl", 0, ctypes.c_int(-3), 1)


def io_uring(_):
    syscall("io_uring_setup", 1, ctypes.create_string_buffer(120))


def perf(_):
    attributes = ctypes.create_string_buffer(112)
    ctypes.memmove(attributes, (ctypes.c_uint32 * 2)(1, 112), 8)
    syscall("perf_event_open", attributes, 0, -1, -1, 0)


def raw(_):
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


def packet(_):
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)


def chroot(_):
    os.chroot(".")


def vm_readv(pid):
    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    with open(f"/proc/{pid}/maps") as maps:
        begin = int(maps.readline().split("-")[0], 16)
    into = ctypes.create_string_buffer(16)
    local = Vector(ctypes.cast(into, ctypes.c_void_p), 16)
    one, none = ctypes.c_ulong(1), ctypes.c_ulong(0)
    remote = ctypes.byref(Vector(begin, 16))
    syscall("process_vm_readv", int(pid), ctypes.byref(local), one, remote, one, none)


def tiocsti(_):
    fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), termios.TIOCSTI, b"x")


def attribute(file):
    os.setxattr(file, "user.hostile", b"x")
    os.removexattr(file, "user.hostile")


def watch(file):
    # IN_CREATE | IN_ATTRIB
    checked(libc.inotify_add_watch(checked(libc.inotify_init1(0)), os.fsencode(file), 0x104))


def watchers(limit):
    for _ in range(int(limit) + 1):
        checked(libc.inotify_init1(0))


def deep(folder):
    os.mkdir(folder)
    os.chdir(folder)
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")


def processes(limit):
    children = []
    try:
        while len(children) <= int(limit):
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)
    print(len(children))


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]](sys.argv[2])
        print("succeeded")
    except OSError as error:
        print(errno.errorcode.get(error.errno, error))
        sys.exit(1)
