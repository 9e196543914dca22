import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describeFailure } from '../exchange/describe-failure';
import { closeWithRefusal, Refusal } from '../exchange/refusal';
import type { Destinations } from './destinations';
import type { HostLines } from './host-lines';
import { describePlace, readPlace } from './place';

/** A tunnel through which nothing moves for so long is closed. */
const IDLE_MS = 900_000;

/** CONNECT: bytes both ways, unread. Never throws. */
export async function openTunnel(
  { destinations, lines }: { destinations: Destinations; lines: HostLines },
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  const place = readPlace(request.url ?? '', null);
  if (place === null) {
    return closeWithRefusal(client, new Refusal(400, 'CONNECT takes host:port'));
  }
  const name = describePlace(place);
  try {
    destinations.assertOpen(place);
    const remote = await destinations.connect(place);
    lines.reached(name);
    if (client.destroyed) return void remote.destroy();
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) remote.write(head);
    join(client, remote);
  } catch (error) {
    const refusal = describeFailure(error, name);
    if (refusal.status === 403) lines.refused(name, refusal.message);
    closeWithRefusal(client, refusal);
  }
}

/** An end that says it has no more to send may still read: each direction ends by itself. */
function join(client: Socket, remote: Socket): void {
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
