import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Sandbox, SandboxNetwork } from './sandbox';

/** Inside a network namespace nothing else listens, so every sandbox may have the same port. */
const PORT_INSIDE = 3128;

/** For drivers with a network namespace: the port is opened inside, when the command is started. */
export const listenInside: Sandbox['openNetwork'] = async (accept) => ({
  port: PORT_INSIDE,
  accept,
  close: async () => {},
});

/** For drivers that share this host's network: a free port on its loopback, which its other users reach too. */
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
