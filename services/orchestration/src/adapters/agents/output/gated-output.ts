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
export function gateOutput(
  stream: Readable,
  onChunk: (chunk: Buffer) => void,
  /** Asked after each chunk: reading goes on when what it returns is resolved. */
  backlog: () => Promise<void> | null = () => null,
): GatedOutput {
  let held: Buffer[] | null = [];
  let isClosing = false;
  const closed = once(stream, 'close').catch(() => {});
  stream.on('error', () => {});
  stream.pause();
  stream.on('data', (chunk: Buffer) => {
    if (held) held.push(chunk);
    else pass(chunk);
  });

  const pass = (chunk: Buffer) => {
    onChunk(chunk);
    const room = isClosing ? null : backlog();
    if (!room) return;
    stream.pause();
    void room.then(() => stream.resume());
  };

  return {
    open() {
      const early = held ?? [];
      held = null;
      stream.resume();
      for (const chunk of early) pass(chunk);
    },
    async close(limitMs) {
      const limit = new AbortController();
      if (!held) {
        // What the pipe and the stream still hold is little, and would be lost.
        isClosing = true;
        stream.resume();
        const late = delay(limitMs, undefined, { signal: limit.signal }).catch(() => {});
        await Promise.race([closed, late]);
      }
      limit.abort();
      stream.destroy();
      await closed;
    },
  };
}
