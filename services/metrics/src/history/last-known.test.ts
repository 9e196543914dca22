import { clockAt, type Harness, startHarness } from '../../test/harness';
import { rollUp } from './roll-up';

describe('agg=last', () => {
  const clock = clockAt('2026-03-02T00:05:00.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
    for (const at of ['00:05', '00:15', '00:25', '01:05']) {
      clock.set(`2026-03-02T${at}:00.000Z`);
      await collect();
    }
    await service.asOwner(
      `UPDATE balance_snapshot SET total_equity = NULL WHERE asset IS NULL AND captured_at >= '2026-03-02T00:20:00Z'`,
    );
  });
  afterAll(() => service.close());

  const hours = async () => {
    const query = 'kind=balance&interval=1h&agg=last&order=asc';
    const window = 'start=2026-03-02T00:00:00Z&end=2026-03-02T03:00:00Z';
    const { body } = await service.http.get(`/metrics/history?${query}&${window}`).expect(200);
    return body.items.filter((item: { asset: string | null }) => item.asset === null);
  };
  const equityAt = async (at: string) => {
    const [row] = await service.rows<{ equity: string }>(
      'SELECT trim_scale(total_equity)::text AS equity FROM balance_snapshot WHERE asset IS NULL AND captured_at = $1',
      [at],
    );
    return row?.equity;
  };

  it('returns the last known equity of a bucket, and omits buckets without a known equity', async () => {
    const found = await hours();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      bucket_start: '2026-03-02T00:00:00.000Z',
      captured_at: '2026-03-02T00:15:00.000Z',
      equity: await equityAt('2026-03-02T00:15:00Z'),
      samples: 2,
    });
  });

  it('returns the same equity after the roll-up', async () => {
    const before = await hours();
    clock.set('2026-03-02T03:30:00.000Z');
    await rollUp(service.context);
    expect(await hours()).toEqual(before);
  });
});
