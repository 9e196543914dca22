import { ask, statement } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { Tx } from '../../kernel/call';
import { assertNoCycle } from '../../state/hierarchy';

const details = { field: 'reportsTo' };

/**
 * Limits the depth, because the organisation is returned as one nested tree and JSON is serialised
 * recursively.
 */
const MAX_LEVELS = 500;

/**
 * Rejects terminated managers and cycles; the composite foreign key rejects managers of other
 * companies. `agentId` is null for a new agent.
 * @throws ApiError 422 `unknown_reference`, `semantic_error` for a terminated manager or more than
 * 500 levels, `cycle`
 */
export async function assertManager(
  tx: Tx,
  agentId: string | null,
  reportsTo: string,
): Promise<void> {
  const { companyId } = tx;
  const manager = await tx.prisma.agent.findUnique({
    where: { id: reportsTo },
    select: { companyId: true, status: true },
  });
  if (!manager)
    throw unprocessable(
      'unknown_reference',
      'reportsTo must be the id of an agent of this company',
      details,
    );
  if (manager.companyId !== companyId) return;
  if (manager.status === 'terminated') {
    throw unprocessable('semantic_error', 'reportsTo must not be a terminated agent', details);
  }
  if (agentId) await assertNoCycle(tx, 'agent', companyId, agentId, reportsTo);
  const [chain] = await ask(tx, countLevels, { companyId, agentId, reportsTo });
  if ((chain?.levels ?? 0) > MAX_LEVELS) {
    throw unprocessable(
      'semantic_error',
      `reportsTo: a chain of command may have at most ${MAX_LEVELS} levels`,
      details,
    );
  }
}

const countLevels = statement('count-levels-of-command', {
  takes: { companyId: 'uuid', agentId: 'uuid?', reportsTo: 'uuid' },
  gives: { levels: 'int' },
  sql: ({ companyId, agentId, reportsTo }) => `
    WITH RECURSIVE above AS (
      SELECT id, reports_to, 1 AS level FROM agent WHERE id = ${reportsTo}
      UNION ALL
      SELECT a.id, a.reports_to, above.level + 1 FROM above JOIN agent a ON a.id = above.reports_to
    ), below AS (
      SELECT ${agentId} AS id, 1 AS level
      UNION ALL
      SELECT a.id, below.level + 1 FROM below
      JOIN agent a ON a.company_id = ${companyId} AND a.reports_to = below.id
    ) SELECT (SELECT max(level) FROM above) + (SELECT max(level) FROM below) AS levels`,
});
