import { asFailure, ExchangeFailure } from '../../exchange/failure';
import type { Transfer } from '../../exchange/port';
import type { Resources } from '../../resources';
import type { Plan, Round, Sink } from '../kind';
import { loadPrices } from '../load-prices';
import type { MidPrices } from '../price-assets';
import { needsAccount } from '../skips';

export interface SeenTransfers {
  transfers: readonly Transfer[];
  since: number;
  until: number;
  isWhole: boolean;
  offsetMs: number;
  quote: string;
  ignored: readonly string[];
  prices: MidPrices;
}

interface Known {
  watermark: Date | null;
  began_at: Date | null;
  pending_since: Date | null;
  unpriced: string[] | null;
}

const OVERLAP_MS = 86_400_000;
const LONGEST_PENDING_MS = 30 * 86_400_000;
/**
 * Binance returns at most 90 days per request. Older transfers are not needed, because profit
 * starts with the first balance.
 */
const LONGEST_HISTORY_MS = 90 * 86_400_000;

export async function planTransfers(resources: Resources): Promise<Plan<SeenTransfers>> {
  const { db, exchange } = resources;
  const skip = needsAccount(resources);
  if (skip) return { skip, gather: async () => undefined };
  const { rows } = await db.pool.query<Known>({
    name: 'known-transfers',
    text: KNOWN,
    values: [exchange.name, exchange.simulated],
  });
  const [known] = rows;
  return { gather: (round, sink) => gatherTransfers(known, round, sink) };
}

const OF_EXCHANGE = 'exchange = $1 AND simulated = $2';

const KNOWN = `
  SELECT (SELECT watermark FROM transfer_progress WHERE ${OF_EXCHANGE}) AS watermark,
    (SELECT captured_at FROM balance_snapshot WHERE asset IS NULL AND ${OF_EXCHANGE}
     ORDER BY captured_at, id LIMIT 1) AS began_at,
    (SELECT min(transferred_at) FROM transfer WHERE ${OF_EXCHANGE} AND status = 'pending') AS pending_since,
    (SELECT array_agg(DISTINCT of.asset) FROM transfer t CROSS JOIN LATERAL (
       VALUES (t.asset, t.value_in_quote), (t.fee_asset, t.fee_in_quote)) AS of (asset, value)
     WHERE t.exchange = $1 AND t.simulated = $2 AND of.asset IS NOT NULL AND of.value IS NULL) AS unpriced`;

async function gatherTransfers(
  known: Known | undefined,
  round: Round,
  sink: Sink<SeenTransfers>,
): Promise<void> {
  const { clock, config, exchange, signal } = round;
  const now = exchange.time();
  const since = sinceOf(known, now);
  try {
    if (!exchange.transfers) throw new ExchangeFailure('not_supported', 'transfers', NOT_TOLD);
    const { transfers, failures, until, isWhole } = await exchange.transfers(since, signal);
    sink.failures.push(...failures);
    const paid = transfers.flatMap(({ asset, feeAsset }) => [
      asset,
      ...(feeAsset ? [feeAsset] : []),
    ]);
    const { quote, ignoredAssets: ignored } = config;
    const assets = [...new Set([...paid, ...(known?.unpriced ?? [])])].filter(
      (asset) => !ignored.includes(asset),
    );
    const prices = await loadPrices(round, assets, quote);
    const offsetMs = exchange.time() - clock.now().getTime();
    sink.rows.push({ transfers, since, until, isWhole, offsetMs, quote, ignored, prices });
  } catch (error) {
    const failure = asFailure(error, 'transfers');
    // The user may deliberately not give the key this permission, so its absence does not degrade
    // collections.
    const isForbidden = failure.code === 'permission';
    sink.failures.push(
      isForbidden ? new ExchangeFailure('not_supported', 'transfers', NOT_ALLOWED) : failure,
    );
  }
}

const NOT_TOLD = 'the exchange does not list deposits and withdrawals';
const NOT_ALLOWED = 'the API key may not read deposits and withdrawals';

function sinceOf(known: Known | undefined, now: number): number {
  const { watermark, began_at: beganAt, pending_since: pendingSince } = known ?? {};
  const earliest = now - LONGEST_HISTORY_MS;
  if (!watermark) return Math.max((beganAt?.getTime() ?? now) - OVERLAP_MS, earliest);
  const since = watermark.getTime() - OVERLAP_MS;
  const pending = Math.max(pendingSince?.getTime() ?? since, now - LONGEST_PENDING_MS);
  return Math.max(Math.min(since, pending), earliest);
}
