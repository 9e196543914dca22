import { ask, select, statement } from '@switchyard/db';
import type { ListCostsQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { SUMS, talliedBy } from './cost-range';
import { dearestFirst, PAGE_OF_RANGE, pageOfDearest, pageOfRange } from './dearest-first';

export async function listCostsByModel(call: Call, query: ListCostsQuery) {
  const rows = await ask(call.db, readCostsByModel, pageOfRange(call, query));
  return pageOfDearest(rows, query);
}

const COLUMNS = { provider: 'text', model: 'text', key: 'uuid', ...SUMS } as const;

const readCostsByModel = statement('read-costs-by-model', {
  takes: PAGE_OF_RANGE,
  gives: COLUMNS,
  sql: (p) => `
    SELECT ${select(COLUMNS, 'spent')}
    FROM (${dearestFirst(p, {
      spent: talliedBy('provider, model', p),
      key: 'md5(ROW(provider, model)::text)::uuid',
    })}) spent
    ORDER BY spent.cost_cents DESC, spent.key DESC`,
});
