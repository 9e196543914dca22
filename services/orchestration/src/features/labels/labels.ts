import { ask, select, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import type { LabelView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestStart, page } from '../../lists/page';
import { LABEL } from '../../state/labels/change-label';

export async function listLabels(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<LabelView[]>> {
  const { companyId } = call;
  const { limit } = query;
  const values = { companyId, take: limit + 1, ...newestStart(query) };
  const rows = await ask(call.db, readLabels, values);
  return page(
    rows,
    limit,
    (row) => row,
    ({ createdAt, id }) => [createdAt, id],
  );
}

export const tallyOfLabels = (companyId: string) => `
  SELECT status AS label_id, sum(n)::int AS n FROM (
    SELECT status, n FROM status_tally WHERE company_id = ${companyId} AND counted = 'label'
    UNION ALL SELECT status, n FROM status_change WHERE company_id = ${companyId} AND counted = 'label'
  ) part GROUP BY status`;

const readLabels = statement('list-labels', {
  takes: { companyId: 'uuid', beforeTime: 'time', beforeId: 'uuid', take: 'int' },
  gives: { ...LABEL, issueCount: 'int' },
  sql: (p) => `
    SELECT ${select(LABEL, 'l')}, coalesce(tally.n, 0) AS "issueCount" FROM (
      SELECT * FROM label
      WHERE company_id = ${p.companyId} AND (created_at, id) < (${p.beforeTime}, ${p.beforeId})
      ORDER BY created_at DESC, id DESC LIMIT ${p.take}
    ) l LEFT JOIN (${tallyOfLabels(p.companyId)}) tally ON tally.label_id = l.id::text
    ORDER BY l.created_at DESC, l.id DESC`,
});
