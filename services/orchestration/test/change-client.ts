import { get, type IncomingMessage } from 'node:http';
import { until } from '@switchyard/testing';
import type { ChangedEntityType, ChangedRow, CompanyChange } from '@switchyard/types';

type RowOf<Type extends ChangedEntityType> = Extract<ChangedRow, { entityType: Type }>['row'];

export interface ChangeClient {
  status: number;
  text(): string;
  changes(): CompanyChange[];
  resets(): { version: string; reason: string }[];
  row<Type extends ChangedEntityType>(type: Type, id: string): RowOf<Type> | undefined;
  lastId(): string;
  live(): Promise<void>;
  ended: Promise<void>;
  close(): void;
}

export async function openChangeClient(
  url: string,
  companyId: string,
  { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {},
): Promise<ChangeClient> {
  const request = get(`${url}/api/companies/${companyId}/changes${query}`, {
    headers,
    agent: false,
  });
  request.on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const events: { name: string; data: unknown }[] = [];
  let whole = '';
  let rest = '';
  let lastId = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    whole += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const { id, event, data } = fieldsOf(block);
      lastId = id ?? lastId;
      if (event && data) events.push({ name: event, data: JSON.parse(data) });
    }
  });
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  const named = <Data>(name: string) =>
    events.filter((event) => event.name === name).map(({ data }) => data as Data);
  const changes = () => named<CompanyChange>('change');
  return {
    status: response.statusCode ?? 0,
    text: () => whole,
    changes,
    resets: () => named('reset'),
    row: (type, id) =>
      changes()
        .flatMap(({ rows }) => rows)
        .findLast((row) => row.entityType === type && row.entityId === id)?.row as never,
    lastId: () => lastId,
    live: async () => {
      await until('the stream to be live', () => named('live').length > 0);
    },
    ended,
    close: () => request.destroy(),
  };
}

function fieldsOf(block: string): Record<string, string | undefined> {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  return Object.fromEntries(fields);
}
