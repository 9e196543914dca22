import type { Exchange as CcxtExchange } from 'ccxt';
import { malformed } from '../../failure';
import type { KeyPermissions } from '../../port';

type Answer = Record<string, unknown>;
type Ask = () => Promise<unknown>;

const READERS: Record<string, { call: string; read(answer: Answer): KeyPermissions }> = {
  binance: { call: 'sapiGetAccountApiRestrictions', read: readBinance },
  bybit: { call: 'privateGetV5UserQueryApi', read: readBybit },
  coinbase: { call: 'v3PrivateGetBrokerageKeyPermissions', read: readCoinbase },
  kraken: { call: 'privatePostGetApiKeyInfo', read: readKraken },
  okx: { call: 'privateGetAccountConfig', read: readOkx },
};

/**
 * Returns null for exchanges without a reader.
 * @throws ExchangeFailure `malformed` for an unclear response, which must not count as harmless
 */
export async function readKeyPermissions(
  ccxt: CcxtExchange,
  call: (ask: Ask) => Promise<unknown>,
): Promise<KeyPermissions | null> {
  const reader = READERS[ccxt.id];
  if (!reader) return null;
  const ask = (ccxt as unknown as Record<string, Ask>)[reader.call] as Ask;
  return reader.read((await call(() => ask.call(ccxt))) as Answer);
}

function readBinance(answer: Answer): KeyPermissions {
  const trading = ['enableSpotAndMarginTrading', 'enableMargin', 'enableFutures'];
  const more = ['enableVanillaOptions', 'enablePortfolioMarginTrading', 'enableFixApiTrade'];
  const moving = ['enableWithdrawals', 'enableInternalTransfer', 'permitsUniversalTransfer'];
  const may = (name: string) => answer[name] === true;
  return {
    trade: flag(answer.enableSpotAndMarginTrading) || [...trading, ...more].some(may),
    withdraw: flag(answer.enableWithdrawals) || moving.some(may),
    boundToAddress: answer.ipRestrict === true,
  };
}

function readBybit({ result }: Answer): KeyPermissions {
  const { readOnly, permissions, ips } = recordOf(result);
  const isReadOnly = flag(readOnly === undefined ? undefined : Number(readOnly) === 1);
  const named = Object.entries(recordOf(permissions));
  const of = (isMoving: boolean) =>
    named.some(([name, list]) => (name === 'Wallet') === isMoving && textsOf(list).length > 0);
  return {
    trade: !isReadOnly && of(false),
    withdraw: !isReadOnly && of(true),
    boundToAddress: textsOf(ips).some((address) => address !== '*'),
  };
}

function readCoinbase(answer: Answer): KeyPermissions {
  return {
    trade: flag(answer.can_trade),
    withdraw: flag(answer.can_transfer),
    boundToAddress: null,
  };
}

function readKraken({ result }: Answer): KeyPermissions {
  const answer = recordOf(result);
  const { permissions } = answer;
  if (!Array.isArray(permissions)) throw unclear();
  return {
    trade: ['modify-trades', 'close-trades', 'earn-funds'].some((one) => permissions.includes(one)),
    withdraw: permissions.includes('withdraw-funds'),
    boundToAddress: textsOf(answer.ipAllowlist ?? answer.ip_allowlist).length > 0,
  };
}

function readOkx({ data }: Answer): KeyPermissions {
  const { perm, ip } = recordOf((data as unknown[] | undefined)?.[0]);
  if (typeof perm !== 'string') throw unclear();
  const may = perm.split(',');
  return {
    trade: may.includes('trade'),
    withdraw: may.includes('withdraw'),
    boundToAddress: typeof ip === 'string' && ip !== '',
  };
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw unclear();
  return value;
}

function recordOf(value: unknown): Answer {
  if (typeof value !== 'object' || value === null) throw unclear();
  return value as Answer;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const unclear = () => malformed('key', 'the answer does not contain the permissions of the key');
