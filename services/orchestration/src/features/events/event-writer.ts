import { createSignal } from '@switchyard/async';
import type { changeEvents, runLogEvents } from '@switchyard/types';
import type { Response } from 'express';
import type { z } from 'zod';

export interface EventWriter {
  isOpen(): boolean;
  send(frame: string): Promise<boolean>;
  beat(): void;
  end(): void;
  close(): void;
}

export const RETRY_MS = 2_000;

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** Buffers at most one frame; disconnects a client that does not read for `stallMs`. */
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

type Events = typeof changeEvents & typeof runLogEvents;

export const frameOf = <Name extends keyof Events>(
  name: Name,
  data: z.infer<Events[Name]>,
  id?: string,
): string => frame(name, data, id);

export function frame(name: string, data: unknown, id?: string): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
