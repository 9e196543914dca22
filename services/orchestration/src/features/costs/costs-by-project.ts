import { ask, type RowOf, statement } from '@switchyard/db';
import type { ProjectCostView } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, page } from '../../lists/page';
import { THIS_MONTH } from '../../state/budgets/month';

/** What each project cost this month, and last what belongs to none; together the company's spend. */
export async function listCostsByProject(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const [afterTime = null, afterId = null] = decodeCursor(query.cursor, ['time', 'id']) ?? [];
  const rows = await ask(call.db, readCostsByProject, {
    companyId: call.companyId,
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

/** Sorts spend without a project behind every project. */
const NO_PROJECT = {
  id: '00000000-0000-0000-0000-000000000000',
  createdAt: new Date(0).toISOString(),
};

const CREATED_AT = `coalesce(p.created_at, '${NO_PROJECT.createdAt}')`;
const ID = `coalesce(p.id, '${NO_PROJECT.id}')`;

/** Events count for the month they were recorded in, as they do for the budgets. */
const readCostsByProject = statement('read-costs-by-project', {
  takes: { companyId: 'uuid', afterTime: 'time?', afterId: 'uuid?', take: 'int' },
  gives: {
    projectId: 'uuid?',
    projectName: 'text?',
    createdAt: 'time?',
    costCents: 'bigint',
    inputTokens: 'bigint',
    outputTokens: 'bigint',
  },
  sql: ({ companyId, afterTime, afterId, take }) => `
    SELECT p.id AS "projectId", p.name AS "projectName", p.created_at AS "createdAt",
      spent."costCents", spent."inputTokens", spent."outputTokens"
    FROM (
      SELECT project_id, sum(cost_cents)::bigint AS "costCents",
        sum(input_tokens)::bigint AS "inputTokens", sum(output_tokens)::bigint AS "outputTokens"
      FROM cost_event
      WHERE company_id = ${companyId}
        AND created_at >= ${THIS_MONTH}::timestamp AT TIME ZONE 'UTC'
      GROUP BY project_id
    ) spent LEFT JOIN project p ON p.id = spent.project_id
    WHERE ${afterTime} IS NULL OR (${CREATED_AT}, ${ID}) < (${afterTime}, ${afterId})
    ORDER BY ${CREATED_AT} DESC, ${ID} DESC LIMIT ${take}`,
});
