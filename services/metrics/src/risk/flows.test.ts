import type { SimTransfer } from '@switchyard/testing/exchange-sim/account';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { clockAt, type Harness, startHarness } from '../../test/harness';
import { liveSettings } from '../../test/live-settings';
import { ACCOUNT_TIMEOUTS } from '../../test/two-accounts';
import { rollUp } from '../history/roll-up';

const HOUR = 3_600_000;

describe('drawdown with deposits and withdrawals', () => {
  const clock = clockAt(`${new Date().toISOString().slice(0, 10)}T10:05:00.000Z`);
  const now = () => clock.now().getTime();
  let sim: ExchangeSim;
  let service: Harness;
  beforeAll(async () => {
    sim = await startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed: 7, now });
    service = await startHarness({
      context: { clock },
      env: {
        ...ACCOUNT_TIMEOUTS,
        ...liveSettings(sim),
        METRICS_SYMBOLS: 'BTC/USDT',
      },
    });
    await collect('1000');
  });
  afterAll(async () => {
    await service.close();
    await sim.close();
  });

  const collect = async (held: string) => {
    sim.account.balances = { USDT: { free: held, locked: '0' } };
    await service.http.post('/metrics/collect').send({}).expect(200);
  };
  const move = (
    type: 'deposit' | 'withdrawal',
    amount: string,
    more: Partial<SimTransfer> = {},
  ) => {
    const one: SimTransfer = {
      id: `${type}${amount}`,
      type,
      asset: 'USDT',
      amount,
      time: now() - 1_000,
      ...more,
    };
    sim.account.transfers.push(one);
    return one;
  };
  const drawdown = async () => (await service.http.get('/risk').expect(200)).body.drawdown;
  const about = (share: number) => expect.closeTo(share, 12);

  it('does not count a withdrawal as a loss', async () => {
    clock.forward(HOUR);
    move('withdrawal', '400');
    await collect('600');
    expect(await drawdown()).toMatchObject({
      flow_adjusted: true,
      peak: '600',
      current: 0,
      worst: 0,
    });
  });

  it('counts a loss in full, despite a later deposit', async () => {
    clock.forward(HOUR);
    await collect('540');
    expect(await drawdown()).toMatchObject({ peak: '600', current: about(0.1) });
    clock.forward(HOUR / 4);
    const coming = move('deposit', '460', { isPending: true });
    await collect('540');
    expect(await drawdown()).toMatchObject({ current: about(0.1), worst: about(0.1) });
    clock.forward(HOUR / 4);
    coming.isPending = false;
    await collect('1000');
    expect(await drawdown()).toMatchObject({ current: about(0.1), worst: about(0.1) });
    clock.forward(HOUR / 4);
    await collect('900');
    expect(await drawdown()).toMatchObject({ current: about(0.19), worst: about(0.19) });
  });

  it('stays the same after the roll-up to hours', async () => {
    clock.forward(60_000);
    move('withdrawal', '90');
    clock.forward(HOUR);
    await collect('810');
    const before = await drawdown();
    expect(before).toMatchObject({ current: about(0.19), worst: about(0.19) });
    clock.forward(2 * HOUR);
    await rollUp(service.context);
    expect(await drawdown()).toEqual({ ...before, worst_at: expect.any(String) });
  });

  it('becomes null if a transfer is unpriced or cannot be read', async () => {
    await service.rows('UPDATE transfer SET value_in_quote = NULL');
    expect(await drawdown()).toMatchObject({ flow_adjusted: true, current: null, worst: null });
    await service.rows('UPDATE transfer SET value_in_quote = amount');
    sim.fail('503', '/capital/');
    await collect('405');
    expect(await drawdown()).toMatchObject({ peak: null, current: null });
    sim.fail(null);
  });

  it('has flow_adjusted: false if the exchange reports no transfers', async () => {
    await service.rows('DELETE FROM transfer_progress');
    expect(await drawdown()).toMatchObject({ flow_adjusted: false, current: about(0.595) });
  });
});
