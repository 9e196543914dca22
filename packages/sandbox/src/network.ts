import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Sandbox, SandboxNetwork } from './sandbox';

/**
 * In the command's network namespace no other program listens, so every sandbox can use the same
 * port.
 */
const PORT_INSIDE = 3128;

export const listenInside: Sandbox['openNetwork'] = async (accept) => ({
  port: PORT_INSIDE,
  accept,
  close: async () => {},
});

/**
 * Opens a free loopback port for drivers without a network namespace. Other users of the host can
 * reach it too.
 */
export async function listenInHost(
  accept: SandboxNetwork['accept'],
): Promise<SandboxNetwork & { close(): Promise<void> }> {
  const server = createServer(accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    accept,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
