import type { Pool } from '@switchyard/db';
import { z } from 'zod';
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
  captured_at: z.string().nullable().describe('time of that equity'),
});

interface Total {
  exchange: string;
  total_equity: string | null;
  captured_at: Date;
}

export async function summarise(
  pool: Pool,
  accounts: readonly Resources[],
  collected: Readonly<Record<string, { components: Components }>>,
): Promise<z.output<typeof accountSummary>[]> {
  const { rows } = await pool.query<Total>(
    `SELECT r.* FROM unnest($1::text[]) AS wanted (exchange) CROSS JOIN LATERAL (
       SELECT t.exchange, t.total_equity::text, t.captured_at FROM balance_snapshot t
       WHERE t.asset IS NULL AND t.exchange = wanted.exchange
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) r`,
    [accounts.map(({ exchange }) => exchange.name)],
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
      total_equity: optionalDecimalText(total?.total_equity),
      captured_at: total?.captured_at.toISOString() ?? null,
    };
  });
}
