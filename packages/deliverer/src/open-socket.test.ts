import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createConnector, type Opened, type SocketOptions } from './open-socket';

let server: Server;
const accepted: Socket[] = [];

beforeEach(async () => {
  server = createServer((socket) => accepted.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const socket of accepted.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

function open(protocol: string, options: Partial<SocketOptions> = {}): Promise<Opened> {
  const connect = createConnector({
    signal: new AbortController().signal,
    timeoutMs: 0,
    ...options,
  });
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    connect({ hostname: '127.0.0.1', port, protocol }, (...opened) => resolve(opened));
  });
}

it('the TLS handshake counts towards the connection timeout', async () => {
  const [error] = await open('https:', { timeoutMs: 50 });
  expect(error).toMatchObject({ code: 'ETIMEDOUT' });
});

it('a peer that closes during the handshake causes ECONNRESET', async () => {
  const opened = open('https:');
  await new Promise((resolve) => server.once('connection', resolve));
  for (const socket of accepted) socket.destroy();
  expect((await opened)[0]).toMatchObject({ code: 'ECONNRESET' });
});

it('an aborted signal ends both pending and open connections', async () => {
  const life = new AbortController();
  const [, socket] = await open('http:', { signal: life.signal });
  const connecting = open('https:', { signal: life.signal });
  const closed = new Promise((resolve) => socket?.once('close', resolve));
  life.abort();
  await closed;
  expect((await connecting)[0]).toMatchObject({ name: 'AbortError' });
});
