import { untilAborted } from '@switchyard/async';
import { clockAt, type Harness, type MovableClock, startHarness } from '../../../test/harness';
import { createTurns } from './turns';

const none = () => new AbortController().signal;

function takingTurns() {
  const turns = createTurns();
  return <T>(deadline: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const inTurn = async () => {
      const end = await turns.take(deadline);
      return work().finally(end);
    };
    return untilAborted(inTurn(), deadline);
  };
}

describe('turns', () => {
  it('run one after the other, even after a failure', async () => {
    const takeTurn = takingTurns();
    const done: string[] = [];
    let running = 0;
    const work = (name: string) => async () => {
      running++;
      await new Promise(setImmediate);
      done.push(`${name} ${running}`);
      running--;
      if (name === 'b') throw new Error('b failed');
    };
    const turns = ['a', 'b', 'c'].map((name) => takeTurn(none(), work(name)));
    const settled = await Promise.allSettled(turns);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(done).toEqual(['a 1', 'b 1', 'c 1']);
  });

  it('fail at their deadline, and do not start after the deadline', async () => {
    const takeTurn = takingTurns();
    const hanging = new AbortController();
    const first = takeTurn(hanging.signal, () => new Promise(() => undefined));
    const late = new AbortController();
    let begun = false;
    const second = takeTurn(late.signal, async () => {
      begun = true;
    });
    const third = takeTurn(none(), async () => 'third');
    late.abort(new Error('too late'));
    hanging.abort(new Error('hangs'));
    await expect(first).rejects.toThrow('hangs');
    await expect(second).rejects.toThrow('too late');
    expect(await third).toBe('third');
    expect(begun).toBe(false);
  });
});

describe('METRICS_MIN_INTERVAL_SEC', () => {
  let clock: MovableClock;
  let service: Harness;
  beforeEach(async () => {
    clock = clockAt('2026-03-02T00:00:30.000Z');
    service = await startHarness({ context: { clock }, config: { minIntervalMs: 10_000 } });
  });
  afterEach(() => service.close());
  const collect = (body: object = {}) => service.http.post('/metrics/collect').send(body);
  const REUSED = 'x-collection-reused';

  it('returns the previous response to calls within the interval, without calling the exchange', async () => {
    const first = await collect();
    expect(first.headers[REUSED]).toBeUndefined();
    clock.forward(9_999);
    const answers = await Promise.all(
      [...Array(19)].map((_, at) => collect(at % 2 ? {} : { collection_id: `c${at}` })),
    );
    for (const answer of answers) {
      expect([answer.status, answer.text, answer.headers[REUSED]]).toEqual([
        200,
        first.text,
        'true',
      ]);
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
    expect(await service.rows('SELECT 1 FROM collection')).toHaveLength(1);
    clock.forward(1);
    const next = await collect();
    expect(next.headers[REUSED]).toBeUndefined();
    expect(next.body.collection_id).not.toBe(first.body.collection_id);
  });

  it('collects once for twenty concurrent calls', async () => {
    const answers = await Promise.all([...Array(20)].map(() => collect()));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers[REUSED] === undefined)).toHaveLength(1);
    expect(await service.rows('SELECT 1 FROM collection')).toHaveLength(1);
  });

  it('applies neither to a repeated id nor to a collection after a regime analysis', async () => {
    await service.http.post('/regime/analyze').send({}).expect(200);
    const own = await collect({ collection_id: 'own' });
    expect(own.body.collection_id).toBe('own');
    clock.forward(10_000);
    await collect({ collection_id: 'later' });
    const again = await collect({ collection_id: 'own' });
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([own.text, 'true']);
    expect(again.headers[REUSED]).toBeUndefined();
  });

  it('does not reuse a failed collection', async () => {
    await service.asOwner('ALTER TABLE component_state RENAME TO away');
    await collect().expect(500);
    await service.asOwner('ALTER TABLE away RENAME TO component_state');
    const { headers } = await collect().expect(200);
    expect(headers[REUSED]).toBeUndefined();
  });
});
