import { type ServerSentEvent, serverSentEvents } from './server-sent-events';

const bytes = (text: string) => new TextEncoder().encode(text);

async function read(...chunks: Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(ReadableStream.from(chunks))) events.push(event);
  return events;
}

describe('serverSentEvents', () => {
  it('yields the start position before the first event', async () => {
    const events = await read(
      bytes('retry: 2000\nid: 1-1\n\nid: 1-2\nevent: x\ndata: {"a":1}\n\n'),
    );
    expect(events).toEqual([
      { id: '1-1', data: '', retryMs: 2_000 },
      { id: '1-2', name: 'x', data: '{"a":1}' },
    ]);
  });

  it.each(['\n', '\r\n', '\r'])(
    'yields the same events wherever the stream is split: line end %j',
    async (end) => {
      const text = [': beat', '', 'id: 7', 'data: größer', 'data:  two', 'other', '', ''].join(end);
      const whole = bytes(`${text}data: x${end}${end}data: y`);
      const expected = [
        { id: '', data: '' },
        { id: '7', data: 'größer\n two' },
        { id: '7', data: 'x' },
      ];
      for (let at = 0; at <= whole.length; at += 1) {
        expect(await read(whole.slice(0, at), whole.slice(at))).toEqual(expected);
      }
    },
  );

  it('drops an incomplete event', async () => {
    expect(await read(bytes('id: 1\ndata: whole\n\nid: 2\ndata: ha'))).toEqual([
      { id: '1', data: 'whole' },
    ]);
  });

  it('closes the stream when the consumer leaves the loop', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('data: 1\n\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const _event of serverSentEvents(body)) break;
    expect(cancelled).toBe(true);
  });
});
