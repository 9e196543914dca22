import { FUNDING_TABLE } from './funding/funding';
import { createPresenter } from './present-item';

it('presentItem adds the account only to rows of a named account', () => {
  const present = createPresenter(FUNDING_TABLE);
  const row = { symbol: 'BTC/USDT:USDT', rate: '0.00010', collection_id: 'c' };
  const shown = { kind: 'funding', collection_id: 'c', symbol: 'BTC/USDT:USDT', rate: '0.0001' };
  expect(present({ ...row, exchange: 'binance#main' })).toEqual({
    ...shown,
    ...{ exchange: 'binance', account: 'main' },
  });
  expect(Object.entries(present({ ...row, exchange: 'binance' }))).toEqual(
    Object.entries({ ...shown, exchange: 'binance' }),
  );
});
