import { watchGrids } from '../../../../test/watched-grids';

const COUNT = 1_000;

it.each(['binance', 'bybit', 'coinbase', 'kraken', 'okx'])(
  'the service stores 1,000 fills of the same millisecond on %s, and all later fills',
  async (dialect) => {
    const grids = await watchGrids(dialect);
    await grids.collect();
    await grids.createGrid('g');
    const time = Date.now();
    grids.fill('g-1-1', 'buy', '3100', { time, id: '100001', amount: '0.001' });
    const [first] = grids.sim.account.trades;
    if (!first) throw new Error('there is no fill');
    for (let id = 100_002; id <= 100_000 + COUNT; id++) {
      grids.sim.account.trades.push({ ...first, id: String(id) });
    }
    const whole = { status: 'ok', failures: [] };
    expect(await grids.collect()).toMatchObject(whole);
    expect(await grids.grid('g')).toMatchObject({ filled_buys: COUNT, bought_quote: '3100' });
    grids.fill('g-2-1', 'sell', '3200', { time: time + 5 });
    expect(await grids.collect()).toMatchObject(whole);
    expect(await grids.grid('g')).toMatchObject({ filled_buys: COUNT, filled_sells: 1 });
    await grids.close();
  },
);
