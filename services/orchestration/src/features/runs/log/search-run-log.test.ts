import type { RunLogSearchView } from '@switchyard/types';
import { fillRunLog } from '../../../../test/fill-run-log';
import { useHarness } from '../../../../test/harness';
import { appendRunLog } from '../../../state/runs/run-log';

describe('the log of a run', () => {
  const harness = useHarness();

  const runWith = async (...chunks: (string | Buffer)[]) => {
    const { id } = await harness.build.liveRun();
    const run = await harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    for (const chunk of chunks) await appendRunLog(harness.context.db, run, Buffer.from(chunk));
    return `/api/heartbeat-runs/${id}/log`;
  };
  const search = async (path: string, query: string) =>
    (await harness.api.get(`${path}/search?${query}`).expect(200)).body as RunLogSearchView;

  const overwriteLog = async (runId: string, offset: number, text: string) => {
    for (const [at, byte] of [...Buffer.from(text)].entries()) {
      const start = Math.floor((offset + at) / 65_536) * 65_536;
      await harness.asOwner(`
        UPDATE run_log_chunk SET content = set_byte(content, ${offset + at - start}, ${byte})
        WHERE run_id = '${runId}' AND start_offset = ${start}`);
    }
  };

  it('can be limited with `tail` to its last bytes, which never begin within a character', async () => {
    const path = await runWith('a line of more than sixteen bytes\n', 'the end is nigh: ü', '!');
    const read = async (query: string) => (await harness.api.get(`${path}?${query}`)).body;
    expect(await read('tail=16')).toMatchObject({
      content: 'end is nigh: ü!',
      offset: 38,
      size: 54,
    });
    expect(await read('tail=1000')).toMatchObject({ offset: 0, nextOffset: 54, eof: false });
    const whole = await read('offset=0');
    expect(whole).toMatchObject({ size: 54, nextOffset: 54 });
    for (let tail = 16; tail <= 54; tail++) {
      expect(whole.content.endsWith((await read(`tail=${tail}`)).content)).toBe(true);
    }
    const umlauts = await runWith('ü'.repeat(20));
    const odd = (await harness.api.get(`${umlauts}?tail=17`)).body;
    expect(odd).toMatchObject({ content: 'ü'.repeat(8), offset: 24, nextOffset: 40 });
    const inside = (await harness.api.get(`${umlauts}?offset=3`)).body;
    expect(inside).toMatchObject({ content: 'ü'.repeat(18), offset: 4, nextOffset: 40 });
    for (const query of ['tail=1', 'tail=x', 'tail=9999999']) {
      const { status, body } = await harness.api.get(`${path}?${query}`);
      expect([query, status, body.details[0].path]).toEqual([query, 400, ['tail']]);
    }
  });

  it('omits an incomplete character at the end while the run continues', async () => {
    const path = await runWith('x', Buffer.from([0xc3]));
    const { body } = await harness.api.get(path).expect(200);
    expect(body).toMatchObject({ content: 'x', nextOffset: 1, size: 2 });
  });

  it('can be searched in any letter case and across chunks, with context', async () => {
    const path = await runWith('first Err', 'or: größe\nall well\r\nan ERROR', ' again\n');
    const found = await search(path, 'q=error');
    expect(found).toMatchObject({
      matches: [
        { offset: 6, before: 'first ', match: 'Error', after: ': größe' },
        { offset: 34, before: 'an ', match: 'ERROR', after: ' again' },
      ],
      nextOffset: 46,
      complete: true,
      size: 46,
    });
    expect((await search(path, 'q=gr%C3%B6%C3%9Fe')).matches).toHaveLength(1);
    expect((await search(path, 'q=nowhere')).matches).toEqual([]);
    expect((await search(path, 'q=.')).matches).toEqual([]);
    expect(await search(path, '')).toMatchObject({ matches: [], complete: true });
  });

  it('can be searched page by page, with each match returned once', async () => {
    const path = await runWith(...Array.from({ length: 7 }, () => 'aXa aXa\n'));
    const all: number[] = [];
    let offset = 0;
    for (;;) {
      const found = await search(path, `q=axa&limit=3&offset=${offset}`);
      all.push(...found.matches.map((match) => match.offset));
      expect(found.matches.length).toBeLessThanOrEqual(3);
      expect(found.nextOffset).toBeGreaterThan(offset);
      offset = found.nextOffset;
      if (found.complete) break;
    }
    expect(all).toEqual(Array.from({ length: 14 }, (_, n) => (n >> 1) * 8 + (n % 2) * 4));
  });

  it('needs few reads to find `limit` matches, even if every byte matches', async () => {
    const { id } = await harness.build.liveRun();
    await fillRunLog(harness, id, 1);
    const read = jest.spyOn(Buffer.prototype, 'toString');
    try {
      const { matches, nextOffset } = await search(`/api/heartbeat-runs/${id}/log`, 'q=x&limit=2');
      expect([matches.map(({ offset }) => offset), nextOffset]).toEqual([[0, 1], 2]);
      expect(read.mock.calls.length).toBeLessThan(1_000);
    } finally {
      read.mockRestore();
    }
  });

  it('yields the same matches page by page as in one search', async () => {
    const path = await runWith('xxxxxx');
    const [first, rest] = [await search(path, 'q=xx&limit=1'), await search(path, 'q=xx')];
    expect(first.nextOffset).toBe(2);
    expect(rest.matches.map(({ offset }) => offset)).toEqual([0, 2, 4]);
  });

  it('can be searched up to 8 MiB per call, with matches across read boundaries', async () => {
    const megabyte = 1_048_576;
    const at = [0, megabyte - 2, 5 * megabyte, 7 * megabyte, 8 * megabyte - 1, 10 * megabyte - 4];
    const { id } = await harness.build.liveRun();
    await fillRunLog(harness, id, 10);
    for (const offset of at) await overwriteLog(id, offset, 'note');
    const path = `/api/heartbeat-runs/${id}/log`;
    const first = await search(path, 'q=note');
    expect(first.matches.map(({ offset }) => offset)).toEqual(at.slice(0, 5));
    expect([first.nextOffset, first.complete]).toEqual([8 * megabyte, false]);
    const second = await search(path, `q=note&offset=${first.nextOffset}`);
    expect(second.matches.map(({ offset }) => offset)).toEqual(at.slice(5));
    expect(second.complete).toBe(true);
  });

  it.each([
    ['q', 'q='],
    ['q', 'q=%00'],
    ['q', `q=${'x'.repeat(201)}`],
    ['offset', 'q=x&offset=-1'],
    ['limit', 'q=x&limit=0'],
    ['limit', 'q=x&limit=501'],
  ])('cannot be searched with an invalid %s: ?%s', async (field, query) => {
    const path = await runWith('x');
    const { status, body } = await harness.api.get(`${path}/search?${query}`);
    expect([status, body.details[0].path]).toEqual([400, [field]]);
  });
});
