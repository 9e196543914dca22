import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { borrowConnection } from './borrowed-connection';
import { openPool } from './pool';

const message = (type: string, content: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), size, content]);
};
const READY = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const STOPS = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

it('the process survives if the database closes a connection during its startup', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => socket.end(Buffer.concat([...READY, STOPS])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://u:p@127.0.0.1:${port}/d`;
  const pool = openPool({ url, size: 1, applicationName: 'a test', onIdleError: () => undefined });
  const borrowed = await borrowConnection(pool);
  await expect(borrowed.client.query('SELECT 1')).rejects.toThrow();
  borrowed.returnToPool();
  await pool.end();
  for (const socket of sockets) socket.destroy();
  server.close();
});
