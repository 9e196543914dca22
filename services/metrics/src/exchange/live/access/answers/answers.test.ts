import { readerOf } from './answers';

const read = (exchange: string, [method, path]: [string, string], body: unknown) =>
  readerOf(exchange, method, path)?.(JSON.stringify(body), 'the account');

const bybit = (result: object) => ({ retCode: 0, retMsg: 'OK', result });
const okx = (...data: object[]) => ({ code: '0', msg: '', data });

describe('readerOf', () => {
  it.each<[string, [string, string], unknown]>([
    [
      'kraken',
      ['POST', '/0/private/OpenOrders'],
      {
        error: [],
        result: {
          open: {
            'OQCLML-BW3P3-BUCMWZ': {
              vol: '1.25',
              descr: { pair: 'XBTUSD', type: 'sell', ordertype: 'trailing-stop', price: '+5.0%' },
            },
          },
        },
      },
    ],
    [
      'binance',
      ['GET', '/fapi/v3/positionRisk'],
      [{ symbol: 'ADAUSDT', positionSide: 'BOTH', positionAmt: '0', updateTime: 0 }],
    ],
    [
      'bybit',
      ['GET', '/v5/execution/list'],
      bybit({
        nextPageCursor: '132766%3A2%2C132766%3A2',
        list: [
          {
            ...{ symbol: 'ETHUSDT', orderId: '1672282722429', execId: 'e0cbe81d-0f18' },
            ...{ side: 'Buy', execTime: '1672282722429', feeCurrency: '', execFee: '0.071409' },
            ...{ execPrice: '1190.15', execQty: '0.1', execType: 'Trade' },
          },
        ],
      }),
    ],
    [
      'bybit',
      ['GET', '/v5/position/list'],
      bybit({ list: [{ symbol: 'ETHUSDT', side: '', size: '0', avgPrice: '0', liqPrice: '' }] }),
    ],
    [
      'okx',
      ['GET', '/api/v5/account/balance'],
      okx({
        details: [{ ccy: 'USDT', eq: '-4992', availEq: '4734', availBal: '', frozenBal: '0' }],
      }),
    ],
  ])('accepts the documented response of %s to %j', (exchange, request, body) => {
    expect(read(exchange, request, body)).toBe(JSON.stringify(body));
  });

  it('drops the amounts of a balance row when one of the amounts is unreadable', () => {
    const balances = [
      { asset: 'BTC', free: 'abc', locked: '0' },
      { asset: 'ETH', free: '1', locked: '0' },
    ];
    expect(JSON.parse(read('binance', ['GET', '/api/v3/account'], { balances }) ?? '')).toEqual({
      balances: [{ asset: 'BTC' }, { asset: 'ETH', free: '1', locked: '0' }],
    });
  });

  it('returns an error response unchanged, so that ccxt can parse it', () => {
    const refusal = { retCode: 10006, retMsg: 'Too many visits.', result: {} };
    expect(read('bybit', ['GET', '/v5/account/wallet-balance'], refusal)).toBe(
      JSON.stringify(refusal),
    );
  });
});

it('readerOf throws an error that names the invalid field of a response', () => {
  const answer = () => read('okx', ['GET', '/api/v5/account/balance'], okx());
  expect(answer).toThrow('data: Too small: expected array to have >=1 items');
});
