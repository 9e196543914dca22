import type { Socket } from 'node:net';

/** A stream through which nothing moves for so long is closed. */
const IDLE_MS = 900_000;

/** Carries bytes both ways, unread. An end that says it has no more to send may still read: each direction ends by itself. */
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
