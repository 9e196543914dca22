import { unwrap } from '@switchyard/client';
import { api } from '../../data/api';
import type { LogPart } from './log-window';

/** Bytes from `from` on, to `to` at most; fewer where that would end inside of a character. */
export async function readLog(
  runId: string,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<LogPart> {
  const limit = Math.max(LEAST, Math.min(MOST, to - from));
  const { content, nextOffset } = await unwrap(
    api.GET('/api/heartbeat-runs/{runId}/log', {
      params: { path: { runId }, query: { offset: from, limit } },
      ...(signal && { signal }),
    } as never),
  );
  return wholeCharacters({ from, to: nextOffset, text: content });
}

/** Each byte of a character whose beginning lies before the part arrives as one replacement character. */
function wholeCharacters(part: LogPart): LogPart {
  if (part.from === 0) return part;
  const cut = /^\ufffd{1,3}/.exec(part.text)?.[0].length ?? 0;
  return { ...part, from: part.from + cut, text: part.text.slice(cut) };
}

/** What the service takes as a limit. */
const LEAST = 16;
const MOST = 1_048_576;
