import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createNameLookup } from './look-up-name';

const A = 1;
const AAAA = 28;

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  while (message[at]) {
    const length = message[at] as number;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

async function startNameServer(known: Record<string, number[]>) {
  const queries: string[] = [];
  const socket = createSocket('udp4', (message, from) => {
    const { name, type, end } = readQuestion(message);
    queries.push(`${name} ${type}`);
    if (name.startsWith('silent.')) return;
    const address = type === A ? known[name] : undefined;
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(name in known ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(address ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const answer = address ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
    const bytes = Buffer.concat([header, message.subarray(12, end), Buffer.from(answer)]);
    socket.send(bytes, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = (timeout: number) => {
    const made = new Resolver({ timeout, tries: 1 });
    made.setServers([`127.0.0.1:${socket.address().port}`]);
    return made;
  };
  return { resolver, queries, close: () => socket.close() };
}

describe('createNameLookup()', () => {
  let server: Awaited<ReturnType<typeof startNameServer>>;
  beforeEach(async () => {
    server = await startNameServer({ 'known.example': [93, 184, 216, 34] });
  });
  afterEach(() => server.close());

  const find = (hostname: string, opened: string[] = [], all = true, timeout = 10_000) =>
    new Promise<LookupAddress[] | string>((resolve, reject) => {
      createNameLookup(opened, server.resolver(timeout))(hostname, { all }, (error, found) =>
        error ? reject(error) : resolve(found),
      );
    });

  it('queries the name servers for IPv4 and IPv6 addresses', async () => {
    const found = [{ address: '93.184.216.34', family: 4 }];
    expect(await find('known.example')).toEqual(found);
    expect(await find('known.example', [], false)).toBe('93.184.216.34');
    expect(new Set(server.queries)).toEqual(
      new Set([`known.example ${A}`, `known.example ${AAAA}`]),
    );
  });

  it('uses the system’s resolver for names that the operator opened or the servers do not find', async () => {
    const loopback = expect.arrayContaining([{ address: '127.0.0.1', family: 4 }]);
    expect(await find('localhost')).toEqual(loopback);
    server.queries.length = 0;
    expect(await find('localhost', ['other:1', 'LocalHost:5432'])).toEqual(loopback);
    expect(server.queries).toEqual([]);
    await expect(find('nowhere.invalid')).rejects.toMatchObject({ syscall: 'getaddrinfo' });
  });

  it('does not block file reads while hundreds of lookups wait for a server', async () => {
    const hanging = Array.from({ length: 300 }, (_, at) =>
      find(`silent.n${at}.example`, [], true, 100).catch(
        (error: NodeJS.ErrnoException) => error.code,
      ),
    );
    expect(await readFile(__filename, 'utf8')).toContain('readFile');
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['ETIMEOUT']));
  });
});
