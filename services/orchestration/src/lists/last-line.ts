import { EXCERPT_CHARACTERS } from '@switchyard/types';

const TAIL_BYTES = 4 * EXCERPT_CHARACTERS + 4;

export const lastChunkSql = (runId: string) => `
  SELECT substring(chunk.content FROM greatest(1, length(chunk.content) - ${TAIL_BYTES - 1})) AS tail,
    chunk.written_at
  FROM run_log_chunk chunk WHERE chunk.run_id = ${runId} ORDER BY chunk.start_offset DESC LIMIT 1`;

export function lastLineOf(tail: Uint8Array | null): string | null {
  if (tail === null) return null;
  const line =
    Buffer.from(tail)
      .toString('utf8')
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1) ?? '';
  return [...line].slice(-EXCERPT_CHARACTERS).join('') || null;
}
