import type { Socket } from 'node:net';

const IDLE_MS = 900_000;

export function joinSockets(client: Socket, remote: Socket): void {
  for (const [from, to] of [
    [client, remote],
    [remote, client],
  ] as const) {
    from.allowHalfOpen = true;
    from.setTimeout(IDLE_MS, () => from.destroy());
    from.on('error', () => from.destroy());
    from.on('close', () => (from.readableEnded ? to.destroySoon() : to.destroy()));
    from.pipe(to);
  }
}
