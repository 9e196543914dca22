import { ask, select, statement } from '@switchyard/db';
import type { ListCostsQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { SUMS, spentBy } from './cost-range';
import {
  dearestFirst,
  keyOrNone,
  PAGE_OF_RANGE,
  pageOfDearest,
  pageOfRange,
} from './dearest-first';

export async function listCostsByRun(call: Call, query: ListCostsQuery) {
  const rows = await ask(call.db, readCostsByRun, pageOfRange(call, query));
  return pageOfDearest(rows, query);
}

const SPENT = { runId: 'uuid?', key: 'uuid', ...SUMS } as const;
const RUN = { agentId: 'uuid?', issueId: 'uuid?', status: 'text?' } as const;

const readCostsByRun = statement('read-costs-by-run', {
  takes: PAGE_OF_RANGE,
  gives: { ...SPENT, ...RUN, agentName: 'text?' },
  sql: (p) => `
    SELECT ${select(SPENT, 'spent')}, ${select(RUN, 'r')}, a.name AS "agentName"
    FROM (${dearestFirst(p, { spent: spentBy('run_id', p), key: keyOrNone('run_id') })}) spent
    LEFT JOIN heartbeat_run r ON r.id = spent.run_id LEFT JOIN agent a ON a.id = r.agent_id
    ORDER BY spent.cost_cents DESC, spent.key DESC`,
});
