import { type Schemas, serverSentEvents, unwrap } from '@switchyard/client';
import { api } from '../../data/api';
import type { LogPart } from './log-window';

export async function readLog(
  runId: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<LogPart> {
  const limit = Math.max(LEAST, Math.min(MOST, to - from));
  const { content, nextOffset } = await unwrap(
    api.GET('/api/heartbeat-runs/{runId}/log', {
      params: { path: { runId }, query: { offset: from, limit } },
      signal,
    }),
  );
  return wholeCharacters({ from, to: nextOffset, text: content });
}

function wholeCharacters(part: LogPart): LogPart {
  if (part.from === 0) return part;
  const cut = /^\ufffd{1,3}/.exec(part.text)?.[0].length ?? 0;
  return { ...part, from: part.from + cut, text: part.text.slice(cut) };
}

const LEAST = 16;
const MOST = 1_048_576;

export async function* followLog(
  runId: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<LogPart, void, undefined> {
  const response = await fetch(`/api/heartbeat-runs/${runId}/log/events?from=${from}`, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  if (!response.ok || !response.body)
    throw new Error(`the log could not be read: HTTP ${response.status}`);
  for await (const { name, data } of serverSentEvents(response.body)) {
    if (name === 'ended') return;
    if (name !== 'log') continue;
    const part = JSON.parse(data) as Pick<Schemas['RunLog'], 'offset' | 'nextOffset' | 'content'>;
    yield { from: part.offset, to: part.nextOffset, text: part.content };
  }
}
