import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_HOST } from '@switchyard/orchestration/test/providers/serve-provider';
import { until } from '@switchyard/testing';

export const TOKENS_PER_CENT = 1_000;

const FIRST_NUMBER = 1_000;
const BYTES_PER_CENT = TOKENS_PER_CENT * 4;
const STREAM_TYPE = { 'content-type': 'text/event-stream' };

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const begun = (number: number) =>
  event({
    type: 'message_start',
    message: { model: 'm', usage: { input_tokens: number, output_tokens: 1 } },
  });
const text = event({
  type: 'content_block_delta',
  delta: { type: 'text_delta', text: 'x'.repeat(BYTES_PER_CENT) },
});
const ended = (cents: number) =>
  event({ type: 'message_delta', usage: { output_tokens: cents * TOKENS_PER_CENT } });

export interface BilledCall {
  /** Equals the number of input tokens in the response, and exceeds each request's own tokens. */
  number: number;
  cents: number;
}

interface HeldCall extends BilledCall {
  most: number;
  isSeen: boolean;
  isLeaving: boolean;
  response: ServerResponse;
}

/**
 * Serves a provider that bills each text that it has sent, or the output that a complete response
 * names. Until `release`, sends only the first texts of each response; the client confirms their
 * receipt with `GET /v1/models?call=`, and adds `&leaves` if it then cuts the connection.
 */
export async function billCalls(random: () => number, onCall: () => void) {
  const calls: BilledCall[] = [];
  const held = new Set<HeldCall>();
  let holds = true;
  const upTo = (most: number) => 1 + Math.floor(random() * most);

  const begin = (most: number, response: ServerResponse): HeldCall => {
    const call = {
      number: FIRST_NUMBER + calls.length,
      cents: upTo(most),
      most,
      isSeen: false,
      isLeaving: false,
      response,
    };
    calls.push(call);
    response.writeHead(200, STREAM_TYPE).write(begun(call.number) + text.repeat(call.cents));
    return call;
  };
  const cut = ({ response }: HeldCall) => response.socket?.end();
  const complete = (call: HeldCall) => {
    call.cents += Math.floor(random() * (call.most - call.cents + 1));
    call.response.end(ended(call.cents));
  };
  const finish = (call: HeldCall) => (random() < 0.3 ? cut(call) : complete(call));
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const confirmed = new URL(request.url ?? '', 'http://x').searchParams;
    if (confirmed.has('call')) {
      for (const call of held) {
        if (call.number !== Number(confirmed.get('call'))) continue;
        call.isSeen = true;
        call.isLeaving = confirmed.has('leaves');
      }
      return response.end('{}');
    }
    onCall();
    const call = begin(JSON.parse(body).max_tokens / TOKENS_PER_CENT, response);
    if (!holds) return finish(call);
    held.add(call);
    response.once('close', () => held.delete(call));
    response.write(event({ type: 'held', number: call.number }));
  };
  const server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, PROVIDER_HOST), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    hold: () => {
      holds = true;
    },
    heldCents: () => [...held].reduce((sum, { most }) => sum + most, 0),
    isQuiet: () =>
      held.size > 0 && [...held].every(({ isSeen, isLeaving }) => isSeen && !isLeaving),
    release: (how: 'cut' | 'finish') => {
      holds = false;
      for (const call of held) (how === 'cut' ? cut : finish)(call);
    },
    closed: () => until('the held calls to end', () => held.size === 0),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
