export interface ServerSentEvent {
  id: string;
  name?: string;
  data: string;
  retryMs?: number;
}

/**
 * Yields the blocks of a `text/event-stream`. Includes blocks without data, because the service's
 * first block contains only the position from which a reconnect must resume.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id = '';
  for await (const block of blocksOf(body)) {
    const event: ServerSentEvent = { id, data: '' };
    const data: string[] = [];
    for (const line of block) {
      const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'id') id = value;
      else if (field === 'event') event.name = value;
      else if (field === 'retry' && /^\d+$/.test(value)) event.retryMs = Number(value);
    }
    yield { ...event, id, data: data.join('\n') };
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let block: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // Does not split at a trailing carriage return, which may be the first half of a line end.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') block.push(line);
        else if (block.length > 0) {
          yield block;
          block = [];
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
