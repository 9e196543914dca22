import type { ExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { clockAt, type Harness, startHarness } from '../../test/harness';
import { useTwoAccounts } from '../../test/two-accounts';
import { rollUp } from '../history/roll-up';

describe('GET /portfolio after hours are rolled up', () => {
  const clock = clockAt('2026-03-02T10:00:00.000Z');
  const accounts = useTwoAccounts({ now: () => clock.now().getTime() });
  let service: Harness;
  let before: { drawdown: object; profit: object };

  const collect = async (time: string, main: string, second: string | null) => {
    clock.set(`2026-03-02T${time}:00.000Z`);
    const hold = ({ account }: ExchangeSim, free: string) => {
      account.balances = { USDT: { free, locked: '0' } };
    };
    hold(accounts.main, main);
    if (second === null) accounts.second.fail('503', '/api/v3/account');
    else hold(accounts.second, second);
    await service.http.post('/metrics/collect').send({}).expect(200);
    accounts.second.fail(null);
  };
  const portfolio = async () => {
    const { drawdown, profit } = (await service.http.get('/portfolio').expect(200)).body;
    return { drawdown: { ...drawdown, worst_at: drawdown.worst_at.slice(0, 13) }, profit };
  };

  beforeAll(async () => {
    service = await startHarness({ context: { clock }, env: accounts.env() });
    await collect('10:00', '1000', '500');
    await collect('11:05', '1000', '500');
    await collect('11:20', '900', '500');
    await collect('11:40', '1000', '500');
    await collect('11:50', '2000', null);
    await collect('12:30', '1200', '500');
    before = await portfolio();
    clock.set('2026-03-02T13:30:00.000Z');
    await rollUp(service.context);
  });
  afterAll(() => service.close());

  it('returns the same drawdown and profit as before the roll-up', async () => {
    expect(before).toMatchObject({
      drawdown: { peak: '1700', current: 0, worst: expect.closeTo(1 / 15, 12) },
      profit: { result: '200' },
    });
    const { profit, drawdown } = await portfolio();
    expect(drawdown).toEqual(before.drawdown);
    expect(profit).toMatchObject({ start: '2026-03-02T10:00:00.000Z', result: '200' });
  });

  it('reads rolled-up hours, not the raw rows that the hours replace', async () => {
    await service.rows(
      `UPDATE balance_snapshot SET total_equity = 1 WHERE captured_at < '2026-03-02T13:00:00Z'`,
    );
    expect((await portfolio()).drawdown).toEqual(before.drawdown);
  });

  it('returns the same drawdown and profit after the raw rows are deleted', async () => {
    await service.rows('DELETE FROM collection');
    const { profit, drawdown } = await portfolio();
    expect(drawdown).toEqual(before.drawdown);
    expect(profit).toMatchObject({ transfers: '0', result: '200' });
  });
});
