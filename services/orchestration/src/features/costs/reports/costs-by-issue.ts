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

export async function listCostsByIssue(call: Call, query: ListCostsQuery) {
  const rows = await ask(call.db, readCostsByIssue, pageOfRange(call, query));
  return pageOfDearest(rows, query);
}

const SPENT = { issueId: 'uuid?', key: 'uuid', ...SUMS } as const;

const readCostsByIssue = statement('read-costs-by-issue', {
  takes: PAGE_OF_RANGE,
  gives: { ...SPENT, identifier: 'text?', title: 'text?' },
  sql: (p) => `
    SELECT ${select(SPENT, 'spent')}, i.identifier, i.title
    FROM (${dearestFirst(p, { spent: spentBy('issue_id', p), key: keyOrNone('issue_id') })}) spent
    LEFT JOIN issue i ON i.id = spent.issue_id
    ORDER BY spent.cost_cents DESC, spent.key DESC`,
});
