import { ask, type RowOf, statement } from '@switchyard/db';
import type { ListCostsQuery, ProjectCostView } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { decodeCursor, page } from '../../../lists/page';
import { rangeOf, spentBy } from './cost-range';

export async function listCostsByProject(call: Call, query: ListCostsQuery) {
  const [afterTime = null, afterId = null] = decodeCursor(query.cursor, ['time', 'id']) ?? [];
  const rows = await ask(call.db, readCostsByProject, {
    companyId: call.companyId,
    ...rangeOf(query),
    afterTime: afterTime as string | null,
    afterId: afterId as string | null,
    take: query.limit + 1,
  });
  return page(rows, query.limit, present, cursorOf);
}

type Row = RowOf<typeof readCostsByProject>;

const present = ({ createdAt: _, ...row }: Row): ProjectCostView => row;

const cursorOf = ({ projectId, createdAt }: Row) => [
  createdAt ?? NO_PROJECT.createdAt,
  projectId ?? NO_PROJECT.id,
];

const NO_PROJECT = {
  id: '00000000-0000-0000-0000-000000000000',
  createdAt: new Date(0).toISOString(),
};

const CREATED_AT = `coalesce(p.created_at, '${NO_PROJECT.createdAt}')`;
const ID = `coalesce(p.id, '${NO_PROJECT.id}')`;

const readCostsByProject = statement('read-costs-by-project', {
  takes: {
    companyId: 'uuid',
    from: 'date?',
    to: 'date?',
    afterTime: 'time?',
    afterId: 'uuid?',
    take: 'int',
  },
  gives: {
    projectId: 'uuid?',
    projectName: 'text?',
    createdAt: 'time?',
    costCents: 'bigint',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
    unpricedEvents: 'bigint',
  },
  sql: (p) => `
    SELECT p.id AS "projectId", p.name AS "projectName", p.created_at AS "createdAt",
      spent.cost_cents AS "costCents", spent.input_tokens AS "inputTokens",
      spent.output_tokens AS "outputTokens", spent.unpriced_events AS "unpricedEvents"
    FROM (${spentBy('project_id', p)}) spent LEFT JOIN project p ON p.id = spent.project_id
    WHERE ${p.afterTime} IS NULL OR (${CREATED_AT}, ${ID}) < (${p.afterTime}, ${p.afterId})
    ORDER BY ${CREATED_AT} DESC, ${ID} DESC LIMIT ${p.take}`,
});
