import { createSignal } from '@switchyard/async';
import type { Response } from 'express';

export interface EventWriter {
  isOpen(): boolean;
  /** Writes one frame and waits until the client has room for another; false when the stream is over. */
  send(frame: string): Promise<boolean>;
  /** Keeps proxies from taking silence for death. */
  beat(): void;
  /** Lets nothing further be sent. */
  end(): void;
  /** Closes the connection, at once when the client does not read. */
  close(): void;
}

/** When a browser comes back after the stream has ended. */
export const RETRY_MS = 2_000;

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  // The stream has its connection to itself, so that its end leaves nothing open.
  Connection: 'close',
};

/**
 * At most one frame waits in memory for a client that does not read; after `stallMs` it is cut off.
 * `onEnd` is called when the stream ends, whoever ends it.
 */
export function openEventWriter(
  response: Response,
  stallMs: number,
  onEnd: () => void,
): EventWriter {
  const drained = createSignal();
  let open = !response.destroyed;

  const end = () => {
    open = false;
    drained.notify();
    onEnd();
  };
  response.on('drain', drained.notify);
  response.once('close', end);
  response.on('error', end);

  return {
    isOpen: () => open,

    send: async (frame) => {
      if (open) response.write(frame);
      while (open && response.writableNeedDrain) {
        if (!(await drained.wait(stallMs))) end();
      }
      return open;
    },

    beat: () => {
      if (open && !response.writableNeedDrain) response.write(': \n\n');
    },

    end,

    close: () => {
      end();
      if (response.writableNeedDrain) response.destroy();
      else response.end();
    },
  };
}
