import type { Victims } from '../victims';
import { FAST_OPEN, type Probe } from './probe';

const socket = (kind: string, peer: string) => `
use IO::Socket::${kind};
my $peer = IO::Socket::${kind}->new(${peer}) or die "refused: $!";
alarm 5;
print "did" if <$peer> =~ /hello/;`;

export const NETWORK_PROBES: Probe[] = [
  {
    name: 'connect to a port of this host',
    script: ({ tcpPort }) => socket('INET', `PeerAddr => '127.0.0.1', PeerPort => ${tcpPort}`),
  },
  {
    name: 'connect to a port of this host with TCP Fast Open',
    script: ({ tcpPort }) => `
use Socket;
socket my $it, PF_INET, SOCK_STREAM, 0 or die $!;
defined send $it, "x", ${FAST_OPEN}, sockaddr_in(${tcpPort}, inet_aton('127.0.0.1')) or die $!;
alarm 5;
print "did" if <$it> =~ /hello/;`,
  },
  {
    name: 'exchange UDP datagrams with a server on this host',
    script: ({ udpPort }) => `
use IO::Socket::INET;
my $peer = IO::Socket::INET->new(Proto => 'udp', PeerAddr => '127.0.0.1', PeerPort => ${udpPort}) or die $!;
$peer->send('hello') or die $!;
alarm 2;
$peer->recv(my $answer, 100);
print "did" if $answer =~ /hello/;`,
  },
  {
    name: 'accept connections on a TCP port',
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
    name: 'accept connections on a TCP port that the kernel chose',
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
    name: 'list the connections of the host',
    script: ({ tcpPort }) => `
my $port = sprintf ':%04X ', ${tcpPort};
for my $path ('/proc/self/net/tcp', '/proc/net/tcp', "/proc/self/task/$$/net/tcp", '/proc/1/net/tcp') {
  open my $file, '<', $path or next;
  print "did" and last if grep { /$port/ } <$file>;
}`,
  },
  {
    name: 'connect to an abstract socket',
    script: ({ abstractName }) => `
use Socket;
socket my $peer, PF_UNIX, SOCK_STREAM, 0 or die $!;
connect $peer, pack('S a108', PF_UNIX, "\\0${abstractName}") or die $!;
alarm 5;
print "did" if <$peer> =~ /hello/;`,
  },
  {
    name: 'connect to a socket outside the sandbox',
    script: ({ socketFile }) => socket('UNIX', `Peer => '${socketFile}'`),
  },
  ...['SOCK_DGRAM', 'SOCK_RAW'].map((type) => ({
    name: `send to a socket outside the sandbox from a socket pair (${type})`,
    script: ({ datagramFile }: Victims) => `
use Socket;
socketpair my $one, my $other, PF_UNIX, ${type}, PF_UNSPEC or die $!;
print "did" if send $one, 'hello', 0, pack_sockaddr_un('${datagramFile}');`,
  })),
];
