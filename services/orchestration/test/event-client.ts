import { get, type IncomingMessage } from 'node:http';
import { until } from '@switchyard/testing';
import type { ActivityView } from '@switchyard/types';

export interface ReceivedEvent {
  id: string;
  name: string;
  data: ActivityView;
}

export interface EventClient {
  status: number;
  headers: IncomingMessage['headers'];
  text(): string;
  events(): ReceivedEvent[];
  lastId(): string;
  ended: Promise<'complete' | 'cut'>;
  pause(): void;
  resume(): void;
  close(): void;
}

function fieldsOf(block: string): Record<string, string | undefined> {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  return Object.fromEntries(fields);
}

export async function openEventClient(
  url: string,
  companyId: string,
  headers: Record<string, string> = {},
): Promise<EventClient> {
  const request = get(`${url}/api/companies/${companyId}/events`, { headers, agent: false });
  request.on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const received: ReceivedEvent[] = [];
  let whole = '';
  let rest = '';
  let lastId: string | undefined;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    whole += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() as string;
    for (const { id, event: name, data } of blocks.map(fieldsOf)) {
      lastId = id ?? lastId;
      if (!id || !name || !data) continue;
      received.push({ id, name, data: JSON.parse(data) as ActivityView });
    }
  });
  response.on('error', () => undefined);
  const ended = new Promise<'complete' | 'cut'>((resolve) => {
    response.once('close', () => resolve(response.complete ? 'complete' : 'cut'));
  });
  const client: EventClient = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => whole,
    events: () => [...received],
    lastId: () => lastId as string,
    ended,
    pause: () => response.pause(),
    resume: () => response.resume(),
    close: () => request.destroy(),
  };
  if (client.status === 200) await until('the first id', () => client.lastId());
  else await ended;
  return client;
}
