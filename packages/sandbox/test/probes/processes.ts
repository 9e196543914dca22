import { CANARY } from '../victims';
import { CALLS, type Probe, SEIZE } from './probe';

export const PROCESS_PROBES: Probe[] = [
  {
    name: 'read the environment of another process',
    script: ({ pid }) => `
open my $file, '<', '/proc/${pid}/environ' or die $!;
print "did" if <$file> =~ /${CANARY}/;`,
  },
  {
    name: 'read the environment of the process that started the sandbox',
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
    name: 'request to be traced',
    script: () => `print "did" if syscall(${CALLS.ptrace}, 0, 0, 0, 0) == 0;`,
  },
  {
    name: 'see the command lines of other processes',
    script: ({ pid }) =>
      `open my $file, '<', '/proc/${pid}/cmdline' or die $!; print "did" if <$file> =~ /perl/;`,
  },
  {
    name: 'signal the process that started the sandbox',
    script: (_victims, parent) => `print "did" if kill 0, ${parent};`,
  },
  { name: 'signal its supervisor', script: () => `print "did" if kill 0, getppid;` },
  {
    name: 'install a seccomp filter with its own listener',
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
];
