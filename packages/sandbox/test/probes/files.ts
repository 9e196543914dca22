import { CANARY } from '../victims';
import {
  CALLS,
  CHMODAT2,
  EMPTY_PATH,
  GET_FLAGS,
  HERE,
  PATH_ONLY,
  type Probe,
  SET_FLAGS,
} from './probe';

export const FILE_PROBES: Probe[] = [
  {
    name: 'read a file outside the sandbox',
    script: ({ file }) =>
      `open my $it, '<', '${file}' or die $!; print "did" if <$it> =~ /${CANARY}/;`,
  },
  {
    name: 'list a folder outside the sandbox',
    script: ({ folder }) =>
      `opendir my $it, '${folder}' or die $!; print "did" if grep { $_ eq 'file' } readdir $it;`,
  },
  {
    name: 'write a file outside the sandbox',
    script: ({ folder }) => `
my $path = '${folder}/written-' . $$;
open my $it, '>', $path or die $!;
close $it;
unlink $path;
print "did";`,
  },
  {
    name: 'truncate a file outside the sandbox',
    script: ({ file }) => `print "did" if truncate '${file}', ${CANARY.length};`,
  },
  {
    name: 'create and remove a folder outside the sandbox',
    script: ({ folder }) =>
      `print "did" if mkdir("${folder}/made-$$") && rmdir("${folder}/made-$$");`,
  },
  {
    name: 'read a file outside the sandbox through a symbolic link',
    script: ({ file }) => `
symlink '${file}', "laid-$$" or die $!;
open my $it, '<', "laid-$$" or die $!;
print "did" if <$it> =~ /${CANARY}/;`,
  },
  {
    name: 'create a hard link to a file outside the sandbox',
    script: ({ file }) => `link '${file}', "hard-$$" or die $!; print "did";`,
  },
  {
    name: 'change the mode of a file outside the sandbox',
    script: ({ file }) => `print "did" if chmod 0644, '${file}';`,
  },
  {
    name: 'remove all permissions of a folder outside the sandbox',
    script: ({ folder }) => `chmod 0, '${folder}' or die $!; chmod 0700, '${folder}'; print "did";`,
  },
  {
    name: 'change the mode of a file outside the sandbox through a symbolic link',
    script: ({ file }) =>
      `symlink '${file}', "mode-$$" or die $!; print "did" if chmod 0644, "mode-$$";`,
  },
  {
    name: 'change the mode of a file outside the sandbox through a relative path',
    script: ({ file }) =>
      `print "did" if chmod 0644, '../'x40 . '${file.slice(1)}' or chmod 0644, "./../../$$/..${file}";`,
  },
  {
    name: 'change the mode of a file outside the sandbox through its O_PATH descriptor',
    script: ({ file }) => `
sysopen my $it, '${file}', ${PATH_ONLY} or die $!;
my $nothing = '';
print "did" if chmod 0644, '/proc/self/fd/' . fileno $it
  or syscall(${CHMODAT2}, fileno $it, $nothing, 0644, ${EMPTY_PATH}) == 0;`,
  },
  {
    name: 'change the mode of a file outside the sandbox through an O_PATH descriptor of the folder',
    script: ({ folder }) => `
sysopen my $it, '${folder}', ${PATH_ONLY} or die $!;
my $name = 'file';
print "did" if syscall(${CHMODAT2}, fileno $it, $name, 0644, 0) == 0;`,
  },
  {
    name: 'change the mode of a file outside the sandbox from the folder of the file',
    script: ({ folder }) => `chdir '${folder}' or die $!; print "did" if chmod 0644, 'file';`,
  },
  {
    name: 'change the mode of a file outside the sandbox by exchanging symbolic links',
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
    name: 'change the mode of a file that it may only read',
    script: ({ shown }) => `
open my $it, '<', '${shown}' or die "cannot read: $!";
print "did" if chmod 0644, $it or chmod 0644, '${shown}';`,
  },
  {
    name: 'change the owner of a file outside the sandbox',
    script: ({ file }) => `
my $path = '${file}';
print "did" if syscall(${CALLS.fchownat}, ${HERE}, $path, $< + 0, $( + 0, 0) == 0;`,
  },
  {
    name: 'change the times of a file outside the sandbox',
    script: ({ file }) => `print "did" if utime 1, 1, '${file}';`,
  },
  {
    name: 'change the times of a file outside the sandbox with utimensat',
    script: ({ file }) => `
my ($path, $times) = ('${file}', pack 'q4', 1, 1, 1, 1);
print "did" if syscall(${CALLS.utimensat}, ${HERE}, $path, $times, 0) == 0;`,
  },
  {
    name: 'set an extended attribute of a file outside the sandbox',
    script: ({ file }) => `
my ($path, $name, $value) = ('${file}', 'user.hostile', 'x');
syscall(${CALLS.setxattr}, $path, $name, $value, 1, 0) == 0 or die $!;
syscall ${CALLS.removexattr}, $path, $name;
print "did";`,
  },
  {
    name: 'change the flags of a file that it may only read',
    script: ({ shown }) => `
open my $it, '<', '${shown}' or die $!;
my $flags = pack 'q', 0;
syscall(${CALLS.ioctl}, fileno $it, ${GET_FLAGS}, $flags) == 0 or die $!;
print "did" if syscall(${CALLS.ioctl}, fileno $it, ${SET_FLAGS}, $flags) == 0;`,
  },
  {
    name: 'make a file set-user-ID or set-group-ID',
    script: () => `
open my $it, '>', "own-$$" or die $!;
print "did" if chmod 04755, $it or chmod 02755, "own-$$";`,
  },
  {
    name: 'create a set-user-ID file',
    script: () => `
use Fcntl;
umask 0;
sysopen(my $it, "made-$$", O_CREAT | O_WRONLY, 04755) and print "did";
my $path = "node-$$";
print "did" if !$it && syscall(${CALLS.mknodat}, ${HERE}, $path, 0104755, 0) == 0;`,
  },
];
