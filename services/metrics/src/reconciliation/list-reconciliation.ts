import { z } from 'zod';
import { decimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { storableText } from '../http/fields';
import type { Resources } from '../resources';
import { readStates } from './states';

export const reconciliationQuery = z.strictObject({ account: storableText(32).optional() });

export const acceptRequest = z.strictObject({
  asset: storableText(64).optional().describe('by default all assets'),
  account: storableText(32).optional(),
});

export const reconciliationResponse = z.object({
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  items: z.array(
    z.object({
      asset: z.string(),
      opened_at: z.string(),
      opening: z.string(),
      traded: z.string().describe('bought minus sold'),
      fees: z.string(),
      transferred: z.string().describe('deposits minus withdrawals and their fees'),
      rounding: z.string().describe('sum of rounding differences of fills'),
      unexplained: z
        .string()
        .describe('balance minus opening, traded, transferred and rounding, plus fees'),
      unexplained_since: z.string().nullable(),
      balance: z.string(),
      checked_at: z.string(),
      transfers_known: z.boolean(),
    }),
  ),
  generated_at: z.string(),
});

export async function listReconciliation({
  clock,
  db,
  exchange,
}: Resources): Promise<z.output<typeof reconciliationResponse>> {
  const { name, simulated } = exchange;
  const states = await readStates(db.pool, { exchange: name, simulated });
  return {
    ...presentOwner(name),
    simulated,
    items: [...states.values()].map((state) => ({
      asset: state.asset,
      opened_at: state.openedAt.toISOString(),
      opening: decimalText(state.opening),
      traded: decimalText(state.traded),
      fees: decimalText(state.fees),
      transferred: decimalText(state.transferred),
      rounding: decimalText(state.rounding),
      unexplained: decimalText(state.unexplained),
      unexplained_since: state.unexplainedSince?.toISOString() ?? null,
      balance: decimalText(state.balance),
      checked_at: state.checkedAt.toISOString(),
      transfers_known: state.transfersKnown,
    })),
    generated_at: clock.now().toISOString(),
  };
}

export async function acceptBalances(
  resources: Resources,
  { asset }: z.output<typeof acceptRequest>,
): Promise<z.output<typeof reconciliationResponse>> {
  const { db, exchange } = resources;
  await db.pool.query(
    'DELETE FROM reconciliation WHERE exchange = $1 AND simulated = $2 AND ($3::text IS NULL OR asset = $3)',
    [exchange.name, exchange.simulated, asset ?? null],
  );
  return listReconciliation(resources);
}
