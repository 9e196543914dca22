import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export interface GatedOutput {
  /** Lets the output through, first what has arrived before. */
  open(): void;
  /** Resolves when all has been read, at the latest after `limitMs`, and closes the pipe in any case. */
  close(limitMs: number): Promise<void>;
}

/**
 * Holds back what a child writes until `open`. Node discards unread output when the child exits, so a listener is
 * there from the start; what it can hold meanwhile is bounded by the pipe and the stream's buffer.
 */
export function gateOutput(stream: Readable, onChunk: (chunk: Buffer) => void): GatedOutput {
  let held: Buffer[] | null = [];
  const closed = once(stream, 'close').catch(() => {});
  stream.on('error', () => {});
  stream.pause();
  stream.on('data', (chunk: Buffer) => (held ? held.push(chunk) : onChunk(chunk)));

  return {
    open() {
      const early = held ?? [];
      held = null;
      for (const chunk of early) onChunk(chunk);
      stream.resume();
    },
    async close(limitMs) {
      const limit = new AbortController();
      if (!held) {
        const late = delay(limitMs, undefined, { signal: limit.signal }).catch(() => {});
        await Promise.race([closed, late]);
      }
      limit.abort();
      stream.destroy();
      await closed;
    },
  };
}
