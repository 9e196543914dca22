import { ask, select, statement } from '@switchyard/db';
import type { ListCostsQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { SUMS, talliedBy } from './cost-range';
import { dearestFirst, PAGE_OF_RANGE, pageOfDearest, pageOfRange } from './dearest-first';

export async function listCostsByProvider(call: Call, query: ListCostsQuery) {
  const rows = await ask(call.db, readCostsByProvider, pageOfRange(call, query));
  return pageOfDearest(rows, query);
}

const COLUMNS = { provider: 'text', key: 'uuid', ...SUMS } as const;

const readCostsByProvider = statement('read-costs-by-provider', {
  takes: PAGE_OF_RANGE,
  gives: COLUMNS,
  sql: (p) => `
    SELECT ${select(COLUMNS, 'spent')}
    FROM (${dearestFirst(p, { spent: talliedBy('provider', p), key: 'md5(provider)::uuid' })}) spent
    ORDER BY spent.cost_cents DESC, spent.key DESC`,
});
