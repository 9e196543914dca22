import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { newestTotals } from '../accounts/newest-totals';
import type { Components } from '../collection/collect-contract';
import { degradation } from '../collection/degraded';
import { optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import type { Resources } from '../resources';

export const accountSummary = z.object({
  account: z.string(),
  exchange: z.string(),
  simulated: z.boolean(),
  degraded: z.boolean(),
  failed_components: z.array(z.string()),
  quote: z.string(),
  total_equity: z.string().nullable().describe('null while unknown'),
  captured_at: z.string().nullable().describe('time of this equity'),
});

export async function summarise(
  pool: Pool,
  accounts: readonly Resources[],
  collected: Readonly<Record<string, { components: Components }>>,
): Promise<z.output<typeof accountSummary>[]> {
  const rows = await newestTotals(
    pool,
    accounts.map(({ exchange }) => exchange.name),
  );
  const totals = new Map(rows.map((row) => [row.exchange, row]));
  return accounts.map(({ account, config, exchange: { name, simulated } }) => {
    const total = totals.get(name);
    return {
      account: String(account),
      exchange: presentOwner(name).exchange,
      simulated,
      ...degradation(collected[String(account)]?.components ?? {}),
      quote: config.quote,
      total_equity: optionalDecimalText(total?.equity),
      captured_at: total?.captured_at.toISOString() ?? null,
    };
  });
}
