import { CANARY, type Victims } from './victims';

/** Numbers of system calls that perl has no word for. */
const CALLS = {
  x64: {
    ...{ prctl: 157, ptrace: 101, unshare: 272, mount: 165, add_key: 248, prlimit64: 302 },
    ...{
      setxattr: 188,
      removexattr: 197,
      utimensat: 280,
      fchownat: 260,
      mknodat: 259,
      ioctl: 16,
      seccomp: 317,
      ioprioSet: 251,
      inotifyInit: 294,
      inotifyAddWatch: 254,
    },
  },
  arm64: {
    ...{ prctl: 167, ptrace: 117, unshare: 97, mount: 40, add_key: 217, prlimit64: 261 },
    ...{
      setxattr: 5,
      removexattr: 14,
      utimensat: 88,
      fchownat: 54,
      mknodat: 33,
      ioctl: 29,
      seccomp: 277,
      ioprioSet: 30,
      inotifyInit: 26,
      inotifyAddWatch: 27,
    },
  },
}[process.arch as 'x64' | 'arm64'];

export const PRCTL = CALLS.prctl;
export const IOPRIO_SET = CALLS.ioprioSet;

const NEW_USER = 0x10000000;
const NEW_USER_AND_MOUNTS = 0x10020000;
const SEIZE = 0x4206;
const SESSION_KEYRING = -3;
const FAST_OPEN = 0x20000000;
const CHMODAT2 = 452;
const PATH_ONLY = 0o10000000;
const EMPTY_PATH = 0x1000;
const HERE = -100;
const SET_FLAGS = 0x40086602;
const GET_FLAGS = 0x80086601;

export interface Probe {
  /** What it does, which none may do. */
  name: string;
  /** Of perl; it writes `did` when it has done it. */
  script(victims: Victims, parent: number): string;
  limits?: { processes?: number; fileBytes?: number; watchers?: number; temporaryBytes?: number };
  /** The kernel does not keep root from it. */
  isOpenToRoot?: true;
  /** Is visited at the port that it writes into the file `port`. */
  isVisited?: true;
}

const socket = (kind: string, peer: string) => `
use IO::Socket::${kind};
my $peer = IO::Socket::${kind}->new(${peer}) or die "refused: $!";
alarm 5;
print "did" if <$peer> =~ /hello/;`;

export const PROBES: Probe[] = [
  {
    name: 'read the environment of another process',
    script: ({ pid }) => `
open my $file, '<', '/proc/${pid}/environ' or die $!;
print "did" if <$file> =~ /${CANARY}/;`,
  },
  {
    name: 'read the environment of the process that started it',
    script: (_victims, parent) =>
      `open my $file, '<', '/proc/${parent}/environ' or die $!; print "did" if <$file> =~ /PATH=/;`,
  },
  {
    name: 'read the memory of another process',
    script: ({ pid }) => `
open my $maps, '<', '/proc/${pid}/maps' or die $!;
my ($from) = map { /^([0-9a-f]+)-.*\\[stack\\]/ ? $1 : () } <$maps>;
open my $memory, '<:raw', '/proc/${pid}/mem' or die $!;
sysseek $memory, hex $from, 0;
my $all = '';
while (sysread $memory, my $part, 4096) { $all .= $part }
print "did" if $all =~ /${CANARY}/;`,
  },
  {
    name: 'trace another process',
    script: ({ pid }) => `print "did" if syscall(${CALLS.ptrace}, ${SEIZE}, ${pid}, 0, 0) == 0;`,
  },
  {
    name: 'be traced itself',
    script: () => `print "did" if syscall(${CALLS.ptrace}, 0, 0, 0, 0) == 0;`,
  },
  {
    name: 'see the command lines of other processes',
    script: ({ pid }) =>
      `open my $file, '<', '/proc/${pid}/cmdline' or die $!; print "did" if <$file> =~ /perl/;`,
  },
  {
    name: 'signal the process that started it',
    script: (_victims, parent) => `print "did" if kill 0, ${parent};`,
  },
  { name: 'signal its supervisor', script: () => `print "did" if kill 0, getppid;` },
  {
    name: 'judge its own system calls in place of its supervisor',
    script: () => `
my $filter = pack 'SCCL', 6, 0, 0, 0x7fff0000;
my $program = pack 'S x6 P', 1, $filter;
syscall(${CALLS.prctl}, 38, 1, 0, 0, 0);
print "did" if syscall(${CALLS.seccomp}, 1, 8, $program) >= 0;`,
  },
  { name: 'signal another process', script: ({ pid }) => `print "did" if kill 0, ${pid};` },
  {
    name: 'change the limits of another process',
    script: ({ pid }) => `
my ($wanted, $was) = (pack('QQ', 64, 64), "\\0" x 16);
print "did" if syscall(${CALLS.prlimit64}, ${pid}, 4, 0, $was) == 0;`,
  },
  {
    name: 'change the priority of another process',
    script: ({ pid }) => `print "did" if setpriority(0, ${pid}, 1) && getpriority(0, ${pid}) == 1;`,
  },
  {
    name: 'read a file outside',
    script: ({ file }) =>
      `open my $it, '<', '${file}' or die $!; print "did" if <$it> =~ /${CANARY}/;`,
  },
  {
    name: 'list a folder outside',
    script: ({ folder }) =>
      `opendir my $it, '${folder}' or die $!; print "did" if grep { $_ eq 'file' } readdir $it;`,
  },
  {
    name: 'write a file outside',
    script: ({ folder }) => `
my $path = '${folder}/written-' . $$;
open my $it, '>', $path or die $!;
close $it;
unlink $path;
print "did";`,
  },
  {
    name: 'truncate a file outside',
    script: ({ file }) => `print "did" if truncate '${file}', ${CANARY.length};`,
  },
  {
    name: 'remove a file outside',
    script: ({ folder }) =>
      `print "did" if mkdir("${folder}/made-$$") && rmdir("${folder}/made-$$");`,
  },
  {
    name: 'follow a link that it laid in its own folder',
    script: ({ file }) => `
symlink '${file}', "laid-$$" or die $!;
open my $it, '<', "laid-$$" or die $!;
print "did" if <$it> =~ /${CANARY}/;`,
  },
  {
    name: 'link a file of elsewhere into its own folder',
    script: ({ file }) => `link '${file}', "hard-$$" or die $!; print "did";`,
  },
  {
    name: 'change the mode of a file outside',
    script: ({ file }) => `print "did" if chmod 0644, '${file}';`,
  },
  {
    name: 'close a folder outside for everybody',
    script: ({ folder }) => `chmod 0, '${folder}' or die $!; chmod 0700, '${folder}'; print "did";`,
  },
  {
    name: 'change the mode of a file outside by a link of its own',
    script: ({ file }) =>
      `symlink '${file}', "mode-$$" or die $!; print "did" if chmod 0644, "mode-$$";`,
  },
  {
    name: 'change the mode of a file outside by a way around',
    script: ({ file }) =>
      `print "did" if chmod 0644, '../'x40 . '${file.slice(1)}' or chmod 0644, "./../../$$/..${file}";`,
  },
  {
    name: 'change the mode of a file outside that it only names',
    script: ({ file }) => `
sysopen my $it, '${file}', ${PATH_ONLY} or die $!;
my $nothing = '';
print "did" if chmod 0644, '/proc/self/fd/' . fileno $it
  or syscall(${CHMODAT2}, fileno $it, $nothing, 0644, ${EMPTY_PATH}) == 0;`,
  },
  {
    name: 'change the mode of a file outside from a folder that it only names',
    script: ({ folder }) => `
sysopen my $it, '${folder}', ${PATH_ONLY} or die $!;
my $name = 'file';
print "did" if syscall(${CHMODAT2}, fileno $it, $name, 0644, 0) == 0;`,
  },
  {
    name: 'change the mode of a file outside from another working directory',
    script: ({ folder }) => `chdir '${folder}' or die $!; print "did" if chmod 0644, 'file';`,
  },
  {
    name: 'change the mode of a file outside while a link is exchanged',
    script: ({ file }) => `
open my $own, '>', "own-$$" or die $!;
my $swapper = fork // die $!;
if (!$swapper) {
  while (1) {
    for my $target ("own-" . getppid, '${file}') { symlink $target, 'next' and rename 'next', 'swapped' }
  }
}
chmod 0600, '${file}';
select undef, undef, undef, 0.01 until -l 'swapped';
my ($exchanges, $before) = (0, '');
while ($exchanges < 100) {
  chmod 0604, 'swapped';
  my $target = readlink 'swapped' or next;
  $exchanges++ if $target ne $before;
  $before = $target;
}
kill 'KILL', $swapper;
waitpid $swapper, 0;
print "did" if ((stat '${file}')[2] & 07777) == 0604;
chmod 0644, '${file}';`,
  },
  {
    name: 'change the mode of a file that it may read alone',
    script: ({ shown }) => `
open my $it, '<', '${shown}' or die "cannot read: $!";
print "did" if chmod 0644, $it or chmod 0644, '${shown}';`,
  },
  {
    name: 'change the owner of a file outside',
    script: ({ file }) => `
my $path = '${file}';
print "did" if syscall(${CALLS.fchownat}, ${HERE}, $path, $< + 0, $( + 0, 0) == 0;`,
  },
  {
    name: 'change the times of a file outside',
    script: ({ file }) => `print "did" if utime 1, 1, '${file}';`,
  },
  {
    name: 'change the times of a file outside, counted in nanoseconds',
    script: ({ file }) => `
my ($path, $times) = ('${file}', pack 'q4', 1, 1, 1, 1);
print "did" if syscall(${CALLS.utimensat}, ${HERE}, $path, $times, 0) == 0;`,
  },
  {
    name: 'give a file outside an attribute',
    script: ({ file }) => `
my ($path, $name, $value) = ('${file}', 'user.hostile', 'x');
syscall(${CALLS.setxattr}, $path, $name, $value, 1, 0) == 0 or die $!;
syscall ${CALLS.removexattr}, $path, $name;
print "did";`,
  },
  {
    name: 'change the flags of a file that it may read alone',
    script: ({ shown }) => `
open my $it, '<', '${shown}' or die $!;
my $flags = pack 'q', 0;
syscall(${CALLS.ioctl}, fileno $it, ${GET_FLAGS}, $flags) == 0 or die $!;
print "did" if syscall(${CALLS.ioctl}, fileno $it, ${SET_FLAGS}, $flags) == 0;`,
  },
  {
    name: 'make a program of its own that runs as its account',
    script: () => `
open my $it, '>', "own-$$" or die $!;
print "did" if chmod 04755, $it or chmod 02755, "own-$$";`,
  },
  {
    name: 'create a program that runs as its account',
    script: () => `
use Fcntl;
umask 0;
sysopen(my $it, "made-$$", O_CREAT | O_WRONLY, 04755) and print "did";
my $path = "node-$$";
print "did" if !$it && syscall(${CALLS.mknodat}, ${HERE}, $path, 0104755, 0) == 0;`,
  },
  {
    name: 'connect to a port of this host',
    script: ({ tcpPort }) => socket('INET', `PeerAddr => '127.0.0.1', PeerPort => ${tcpPort}`),
  },
  {
    name: 'connect to a port of this host with its first data',
    script: ({ tcpPort }) => `
use Socket;
socket my $it, PF_INET, SOCK_STREAM, 0 or die $!;
defined send $it, "x", ${FAST_OPEN}, sockaddr_in(${tcpPort}, inet_aton('127.0.0.1')) or die $!;
alarm 5;
print "did" if <$it> =~ /hello/;`,
  },
  {
    name: 'ask a server over UDP, as for names',
    script: ({ udpPort }) => `
use IO::Socket::INET;
my $peer = IO::Socket::INET->new(Proto => 'udp', PeerAddr => '127.0.0.1', PeerPort => ${udpPort}) or die $!;
$peer->send('hello') or die $!;
alarm 2;
$peer->recv(my $answer, 100);
print "did" if $answer =~ /hello/;`,
  },
  {
    name: 'listen for others',
    isVisited: true,
    script: () => `
use Socket;
socket my $it, PF_INET, SOCK_STREAM, 0 or die $!;
bind $it, sockaddr_in(0, INADDR_ANY) or die $!;
listen $it, 5 or die $!;
my ($port) = sockaddr_in(getsockname $it);
open my $file, '>', 'port' or die $!;
print $file "$port\\n";
close $file;
alarm 2;
accept my $visitor, $it or die $!;
print "did";`,
  },
  {
    name: 'listen for others without a port of its choice',
    isVisited: true,
    script: () => `
use Socket;
socket my $it, PF_INET, SOCK_STREAM, 6 or die $!;
listen $it, 5 or die $!;
my ($port) = sockaddr_in(getsockname $it);
open my $file, '>', 'port' or die $!;
print $file "$port\\n";
close $file;
alarm 2;
accept my $visitor, $it or die $!;
print "did";`,
  },
  {
    name: 'learn names in a folder outside as they appear',
    script: ({ folder }) => `
my ($it, $path) = (syscall(${CALLS.inotifyInit}, 0), '${folder}');
print "did" if syscall(${CALLS.inotifyAddWatch}, $it, $path, 0x100) > 0;`,
  },
  {
    name: 'learn names in a folder outside by a way around',
    script: ({ folder }) => `
my $it = syscall ${CALLS.inotifyInit}, 0;
sysopen my $named, '${folder}', ${PATH_ONLY} or die $!;
symlink '${folder}', "watched-$$";
for my $path ('/proc/self/fd/' . fileno $named, "watched-$$", "watched-$$/.", '../' x 40 . substr '${folder}', 1) {
  print "did" and last if syscall(${CALLS.inotifyAddWatch}, $it, $path, 0x100) > 0;
}`,
  },
  {
    name: 'take the account’s instances of inotify',
    limits: { watchers: 16 },
    script: () => `
my $made = grep { syscall(${CALLS.inotifyInit}, 0) >= 0 } 1 .. 40;
print "did" if $made > 16;`,
  },
  {
    name: 'see the connections of the host',
    script: ({ tcpPort }) => `
my $port = sprintf ':%04X ', ${tcpPort};
for my $path ('/proc/self/net/tcp', '/proc/net/tcp', "/proc/self/task/$$/net/tcp", '/proc/1/net/tcp') {
  open my $file, '<', $path or next;
  print "did" and last if grep { /$port/ } <$file>;
}`,
  },
  {
    name: 'be spared when memory runs out',
    script: () => `
open my $file, '<', '/proc/self/oom_score_adj' or die $!;
print "did" if <$file> < 1000;`,
  },
  {
    name: 'fill the memory by temporary files',
    limits: { temporaryBytes: 2 ** 20 },
    script: () => `
for my $folder ('/tmp', '/dev/shm', '/var/tmp') {
  open my $file, '>', "$folder/large-$$" or next;
  my $written = 0;
  $written += syswrite($file, 'x' x 65_536) // last for 1 .. 32;
  unlink "$folder/large-$$";
  print "did" and last if $written == 2 ** 21;
}`,
  },
  {
    name: 'connect to an abstract socket',
    // Node gives the whole field of the address as the name.
    script: ({ abstractName }) => `
use Socket;
socket my $peer, PF_UNIX, SOCK_STREAM, 0 or die $!;
connect $peer, pack('S a108', PF_UNIX, "\\0${abstractName}") or die $!;
alarm 5;
print "did" if <$peer> =~ /hello/;`,
  },
  {
    name: 'connect to a socket in a folder outside',
    script: ({ socketFile }) => socket('UNIX', `Peer => '${socketFile}'`),
  },
  ...['SOCK_DGRAM', 'SOCK_RAW'].map((type) => ({
    name: `send to a socket in a folder outside from one of a pair (${type})`,
    script: ({ datagramFile }: Victims) => `
use Socket;
socketpair my $one, my $other, PF_UNIX, ${type}, PF_UNSPEC or die $!;
print "did" if send $one, 'hello', 0, pack_sockaddr_un('${datagramFile}');`,
  })),
  {
    name: 'hear of the devices of the machine',
    script: () => `use Socket; print "did" if socket my $it, 16, SOCK_DGRAM, 15;`,
  },
  {
    name: 'reach the shared memory of another process',
    script: ({ sharedMemoryKey }) =>
      `print "did" if defined shmget(${sharedMemoryKey}, 4096, 0600);`,
  },
  {
    name: 'keep a key in the kernel',
    script: () => `
my ($type, $name, $value) = ('user', 'switchyard', 'x');
print "did" if syscall(${CALLS.add_key}, $type, $name, $value, 1, ${SESSION_KEYRING}) > 0;`,
  },
  {
    name: 'make a user namespace',
    script: () => `print "did" if syscall(${CALLS.unshare}, ${NEW_USER}) == 0;`,
  },
  {
    name: 'mount a file system',
    script: () => `
syscall(${CALLS.unshare}, ${NEW_USER_AND_MOUNTS});
my ($source, $target, $type) = ('none', '/proc', 'tmpfs');
print "did" if syscall(${CALLS.mount}, $source, $target, $type, 0, 0) == 0;`,
  },
  {
    name: 'write a larger file than it may',
    limits: { fileBytes: 65_536 },
    script: () => `
$SIG{XFSZ} = 'IGNORE';
open my $it, '>', "large-$$" or die $!;
syswrite $it, 'x' x 65_536;
print "did" if syswrite $it, 'x';`,
  },
  {
    name: 'start more processes than it may',
    limits: { processes: 24 },
    isOpenToRoot: true,
    script: () => `
my @children;
for (1 .. 40) {
  my $child = fork;
  if (!defined $child) { kill 'KILL', @children; die "fork: $!" }
  if (!$child) { sleep 60; exit }
  push @children, $child;
}
kill 'KILL', @children;
print "did";`,
  },
];
