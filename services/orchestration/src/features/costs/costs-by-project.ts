import type { ProjectCostView } from '@switchyard/types';
import type { Call } from '../../call';
import { decodeCursor, newestCursor, page } from '../../lists/page';
import { THIS_MONTH } from '../../state/budgets/month';

/** Where spend without a project stands in the order: behind every project. */
const NO_PROJECT = { id: '00000000-0000-0000-0000-000000000000', createdAt: new Date(0) };

const CREATED_AT = `coalesce(p.created_at, '${NO_PROJECT.createdAt.toISOString()}')`;
const ID = `coalesce(p.id, '${NO_PROJECT.id}')`;

/** Events count for the month they were recorded in, as they do for the budgets. */
const READ = `
  SELECT p.id AS "projectId", p.name AS "projectName", p.created_at AS "createdAt",
    spent."costCents", spent."inputTokens", spent."outputTokens"
  FROM (
    SELECT project_id, sum(cost_cents)::float8 AS "costCents",
      sum(input_tokens)::float8 AS "inputTokens", sum(output_tokens)::float8 AS "outputTokens"
    FROM cost_event
    WHERE company_id = $1::uuid AND created_at >= ${THIS_MONTH}::timestamp AT TIME ZONE 'UTC'
    GROUP BY project_id
  ) spent LEFT JOIN project p ON p.id = spent.project_id
  WHERE $2::timestamptz IS NULL OR (${CREATED_AT}, ${ID}) < ($2::timestamptz, $3::uuid)
  ORDER BY ${CREATED_AT} DESC, ${ID} DESC LIMIT $4::int`;

type Row = ProjectCostView & { createdAt: Date | null };

const present = ({ createdAt: _, ...row }: Row): ProjectCostView => row;

function cursorOf({ projectId, createdAt }: Row) {
  if (projectId === null || createdAt === null) return newestCursor(NO_PROJECT);
  return newestCursor({ id: projectId, createdAt });
}

/** What each project cost this month, and last what belongs to none; together the company's spend. */
export async function listCostsByProject(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const [createdAt = null, id = null] = decodeCursor(query.cursor, ['time', 'id']) ?? [];
  const values = [call.companyId, createdAt, id, query.limit + 1];
  const rows = await call.db.rows<Row>('costs-by-project', READ, values);
  return page(rows, query.limit, present, cursorOf);
}
