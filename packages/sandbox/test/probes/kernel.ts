import {
  CALLS,
  NEW_USER,
  NEW_USER_AND_MOUNTS,
  PATH_ONLY,
  type Probe,
  SESSION_KEYRING,
} from './probe';

export const KERNEL_PROBES: Probe[] = [
  {
    name: 'watch a folder outside the sandbox',
    script: ({ folder }) => `
my ($it, $path) = (syscall(${CALLS.inotifyInit}, 0), '${folder}');
print "did" if syscall(${CALLS.inotifyAddWatch}, $it, $path, 0x100) > 0;`,
  },
  {
    name: 'watch a folder outside the sandbox through a descriptor, a link or a relative path',
    script: ({ folder }) => `
my $it = syscall ${CALLS.inotifyInit}, 0;
sysopen my $named, '${folder}', ${PATH_ONLY} or die $!;
symlink '${folder}', "watched-$$";
for my $path ('/proc/self/fd/' . fileno $named, "watched-$$", "watched-$$/.", '../' x 40 . substr '${folder}', 1) {
  print "did" and last if syscall(${CALLS.inotifyAddWatch}, $it, $path, 0x100) > 0;
}`,
  },
  {
    name: 'open more inotify instances than its limit',
    limits: { watchers: 16 },
    script: () => `
my $made = grep { syscall(${CALLS.inotifyInit}, 0) >= 0 } 1 .. 40;
print "did" if $made > 16;`,
  },
  {
    name: 'have an oom_score_adj below 1000',
    script: () => `
open my $file, '<', '/proc/self/oom_score_adj' or die $!;
print "did" if <$file> < 1000;`,
  },
  {
    name: 'fill the memory with temporary files',
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
    name: 'receive kernel events about devices',
    script: () => `use Socket; print "did" if socket my $it, 16, SOCK_DGRAM, 15;`,
  },
  {
    name: 'access the shared memory of another process',
    script: ({ sharedMemoryKey }) =>
      `print "did" if defined shmget(${sharedMemoryKey}, 4096, 0600);`,
  },
  {
    name: 'store a key in a kernel keyring',
    script: () => `
my ($type, $name, $value) = ('user', 'switchyard', 'x');
print "did" if syscall(${CALLS.add_key}, $type, $name, $value, 1, ${SESSION_KEYRING}) > 0;`,
  },
  {
    name: 'create a user namespace',
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
    name: 'write a file larger than its limit',
    limits: { fileBytes: 65_536 },
    script: () => `
$SIG{XFSZ} = 'IGNORE';
open my $it, '>', "large-$$" or die $!;
syswrite $it, 'x' x 65_536;
print "did" if syswrite $it, 'x';`,
  },
  {
    name: 'start more processes than its limit',
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
