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
];
