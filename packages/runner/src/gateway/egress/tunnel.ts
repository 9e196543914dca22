import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { joinSockets } from '../../network/join-sockets';
import type { GatewayParts } from '../answer-request';
import { describeFailure } from '../exchange/describe-failure';
import { assertOwnProgram } from '../exchange/proxy-credential';
import { closeWithRefusal, Refusal } from '../exchange/refusal';
import { describePlace, readPlace } from './place';

export async function openTunnel(
  { destinations, lines, proxySecret }: Omit<GatewayParts, 'origins'>,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  const place = readPlace(request.url ?? '', null);
  if (place === null) {
    return closeWithRefusal(client, new Refusal(400, 'CONNECT requires host:port'));
  }
  const name = describePlace(place);
  try {
    assertOwnProgram(proxySecret, request);
    destinations.assertOpen(place);
    const remote = await destinations.connect(place);
    lines.reached(name);
    if (client.destroyed) return void remote.destroy();
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) remote.write(head);
    joinSockets(client, remote);
  } catch (error) {
    const refusal = describeFailure(error, name);
    if (refusal.status === 403) lines.refused(name, refusal.message);
    closeWithRefusal(client, refusal);
  }
}
