import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export interface GatedOutput {
  open(): void;
  close(limitMs: number): Promise<void>;
}

/**
 * Holds output back until `open` is called. Reads the pipe immediately, because Node.js discards
 * unread output when the child exits. The buffers of pipe and stream limit the memory.
 */
export function gateOutput(
  stream: Readable,
  onChunk: (chunk: Buffer) => void,
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
