import type { Exchange as CcxtExchange } from 'ccxt';
import { decimalText, readDecimal } from '../../../decimal';
import { type ExchangeFailure, malformed } from '../../failure';
import type { Transfer, TransfersRead } from '../../port';
import { readName } from '../../read-name';
import { readTime } from '../../read-time';
import { readWindows } from './read-windows';

type RawTransfers = Awaited<ReturnType<CcxtExchange['fetchDeposits']>>;
type RawTransfer = RawTransfers[number];

export type TransfersSource = Pick<
  CcxtExchange,
  'id' | 'has' | 'fetchDeposits' | 'fetchWithdrawals'
>;

/**
 * Length of a time window, within the limit of every exchange: Bybit accepts 30 days, the others
 * more.
 */
const LONGEST_WINDOW_MS = 7 * 86_400_000;
/** Kraken's page size; pages of other exchanges have at least `LIMIT` rows. */
const SMALLEST_PAGE = 25;
const LIMIT = 50;

/** False for Coinbase, because Coinbase lists transfers only per account. */
export const tellsTransfers = ({ id, has }: TransfersSource): boolean =>
  id !== 'coinbase' && has.fetchDeposits === true && has.fetchWithdrawals === true;

/**
 * Reads deposits and withdrawals from `since` to `until`, ordered by time. An unreadable transfer
 * is reported and ends the range, so that the next collection requests it again.
 */
export async function readTransfers(
  ccxt: TransfersSource,
  { since, until }: { since: number; until: number },
  call: (ask: () => Promise<RawTransfers>) => Promise<RawTransfers>,
): Promise<TransfersRead> {
  const known = new Map<string, Transfer>();
  const failures: ExchangeFailure[] = [];
  let firstOdd = Number.POSITIVE_INFINITY;
  const read = async (type: Transfer['type']) => {
    const windows = { since, until, longestMs: LONGEST_WINDOW_MS };
    const { rows, until: readUntil } = await readWindows(windows, 'transfers', async (from, to) => {
      const all = await call(() => askTransfers(ccxt, type, from, to));
      const within = all.filter(({ timestamp }) => !(Number(timestamp) > to));
      return { rows: within, isWhole: within.length < SMALLEST_PAGE };
    });
    for (const row of rows) {
      const transfer = transferOf(row, type);
      if (transfer) known.set(`${type} ${transfer.transferId}`, transfer);
      else {
        failures.push(unreadable(row, type));
        firstOdd = Math.min(firstOdd, readTime(row.timestamp)?.getTime() ?? since);
      }
    }
    return readUntil;
  };
  const readUntil = Math.min(...(await Promise.all([read('deposit'), read('withdrawal')])));
  const transfers = [...known.values()]
    .filter(({ time }) => time >= since && time <= readUntil)
    .sort((a, b) => a.time - b.time || a.transferId.localeCompare(b.transferId));
  return {
    transfers,
    failures,
    until: Math.max(since, Math.min(readUntil, firstOdd - 1)),
    isWhole: failures.length === 0 && readUntil >= until,
  };
}

function askTransfers(ccxt: TransfersSource, type: Transfer['type'], since: number, until: number) {
  const more = { until, ...(ccxt.id === 'binance' && { endTime: until }) };
  return type === 'deposit'
    ? ccxt.fetchDeposits(undefined, since, LIMIT, more)
    : ccxt.fetchWithdrawals(undefined, since, LIMIT, more);
}

const STATUSES: Record<string, Transfer['status']> = {
  ok: 'ok',
  failed: 'failed',
  canceled: 'failed',
  rejected: 'failed',
  expired: 'failed',
};

/**
 * @returns null for a transfer without id, asset, amount or time, and for a withdrawal without a
 * fee
 */
function transferOf(raw: RawTransfer, type: Transfer['type']): Transfer | null {
  const id = readName(raw.id ?? raw.txid);
  const asset = readName(raw.currency);
  const amount = readDecimal(raw.amount);
  const fee = readDecimal(raw.fee?.cost);
  const time = readTime(raw.timestamp);
  const isFeeKnown = type === 'deposit' || fee?.gte(0);
  if (!id || !asset || !amount?.gte(0) || !time || !isFeeKnown) return null;
  return {
    transferId: id,
    type,
    status: STATUSES[String(raw.status)] ?? 'pending',
    asset,
    amount: decimalText(amount),
    fee: decimalText(fee ?? 0),
    feeAsset: fee?.gt(0) ? (readName(raw.fee?.currency) ?? asset) : null,
    time: time.getTime(),
  };
}

function unreadable(raw: RawTransfer, type: Transfer['type']): ExchangeFailure {
  const time = readTime(raw.timestamp)?.toISOString() ?? 'an unknown time';
  const id = String(raw.id ?? raw.txid ?? 'without an id').slice(0, SHOWN);
  return malformed(
    'transfers',
    `the ${type} ${id} of ${time} was left out, because its id, asset, amount, fee or time is not readable`,
  );
}

const SHOWN = 80;
