import { COLLECTED_TIMEFRAME } from './candles/timeframe';
import { asFailure, ExchangeFailure } from './exchange/failure';
import type { Exchange } from './exchange/port';
import { readBalance } from './exchange/read-balance';
import { readCandles } from './exchange/read-candles';
import { readTicker } from './exchange/read-ticker';

export interface Check {
  name: string;
  ok: boolean;
  text: string;
}

const DAY = 86_400_000;

export async function checkExchange(
  exchange: Exchange,
  symbols: readonly string[],
  timeoutMs: number,
): Promise<Check[]> {
  const signal = () => AbortSignal.timeout(timeoutMs);
  const checks: Check[] = [];
  const check = async (name: string, ask: () => Promise<string>) => {
    try {
      checks.push({ name, ok: true, text: await ask() });
    } catch (error) {
      const { code, message } = asFailure(error, name);
      checks.push({ name, ok: false, text: `${code}: ${message}` });
    }
  };
  await check('markets', async () => {
    const listed = await exchange.markets(symbols, signal());
    const missing = symbols.filter((symbol) => !listed.has(symbol));
    if (missing.length === 0) return `${symbols.join(', ')} are listed`;
    throw new ExchangeFailure('bad_symbol', 'markets', `${missing.join(', ')} are not listed`);
  });
  await check('clock', async () => {
    const { clockOffsetMs } = exchange.state();
    if (clockOffsetMs === null)
      throw new ExchangeFailure('internal', 'clock', 'the offset of the clock is not known');
    return `${clockOffsetMs} ms ahead of this machine's`;
  });
  await check('tickers', async () => {
    const tickers = [...(await exchange.tickers(symbols, signal())).values()];
    return tickers
      .map((ticker) => {
        if (ticker instanceof ExchangeFailure) throw ticker;
        const { symbol, bid, ask } = readTicker(ticker, exchange.time());
        return `${symbol} ${bid} / ${ask}`;
      })
      .join(', ');
  });
  const [first = ''] = symbols;
  await check('candles', async () => {
    const got = await exchange.candles(first, COLLECTED_TIMEFRAME, { limit: 300 }, signal());
    const { closed, failure } = readCandles(first, COLLECTED_TIMEFRAME, got, exchange.time());
    if (failure) throw failure;
    return `${closed.length} closed of ${first}`;
  });
  if (!exchange.hasAccount) {
    return [...checks, { name: 'key', ok: true, text: 'not set: the account is not collected' }];
  }
  await exchange.checkKey(signal());
  checks.push(keyCheck(exchange));
  await check('balance', async () => {
    const { holdings, failures } = readBalance(await exchange.balance(signal()));
    if (failures[0]) throw failures[0];
    return `${holdings.length} assets: ${holdings.map(({ asset }) => asset).join(', ')}`;
  });
  await check('orders', async () => {
    const orders = await exchange.openOrders(first, signal());
    const named = orders.filter(({ clientOrderId }) => clientOrderId !== null).length;
    return `${orders.length} open of ${first}, ${named} with a client id`;
  });
  await check('fills', async () => {
    const { trades } = await exchange.trades(first, exchange.time() - DAY, signal());
    return `${trades.length} of ${first} in a day`;
  });
  return checks;
}

function keyCheck(exchange: Exchange): Check {
  const { permissions, problem, warnings } = exchange.state().key;
  const said = [problem, ...warnings].filter((text) => text !== null);
  const may = permissions ? [permissions.trade && 'trade', permissions.withdraw && 'withdraw'] : [];
  const text = ['may read', ...may.filter(Boolean)].join(', ');
  return {
    name: 'key',
    ok: permissions !== null && !permissions.trade && problem === null,
    text: said.length > 0 ? said.join('; ') : text,
  };
}
