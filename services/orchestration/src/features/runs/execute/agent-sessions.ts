import { sep } from 'node:path';
import type { Database } from '@switchyard/db';
import type { AgentSession, UsageReport } from '../../../adapters/agents/agent-adapter';
import { tokenCounts } from '../../../adapters/agents/coding-agents/token-counts';
import { type Call, inTransaction } from '../../../call';
import { type Config, runFolder } from '../../../config';
import { recordUsage } from '../../../state/budgets/record-usage';

interface SessionOf {
  id: string;
  epoch: number;
  companyId: string;
  agentId: string;
  issueId: string | null;
}

/** Two runs at once would write into one conversation, so one that a run holds is nobody else's. */
const FIND = `
  SELECT session_id AS "id", directory, counted FROM agent_session s
  WHERE agent_id = $1::uuid AND issue_id = $2::uuid AND adapter_type = $3
    AND NOT EXISTS (SELECT 1 FROM heartbeat_run o
      WHERE o.agent_id = s.agent_id AND o.issue_id = s.issue_id AND o.status = 'running'
        AND o.id <> $4::uuid)`;

const REMEMBER = `
  INSERT INTO agent_session AS s
    (company_id, agent_id, issue_id, adapter_type, session_id, directory)
  SELECT company_id, agent_id, issue_id, $3, $4, $5 FROM heartbeat_run
  WHERE id = $1::uuid AND epoch = $2 AND status = 'running' AND issue_id IS NOT NULL
  ON CONFLICT (agent_id, issue_id, adapter_type) DO UPDATE SET
    session_id = excluded.session_id, directory = excluded.directory, updated_at = now(),
    counted = CASE s.session_id WHEN excluded.session_id THEN s.counted ELSE '{}' END`;

const COUNT = `
  UPDATE agent_session SET counted = $4::jsonb, updated_at = now()
  WHERE agent_id = $1::uuid AND issue_id = $2::uuid AND adapter_type = $3 AND session_id = $5`;

/** The conversation that the last run of this agent and issue left. */
export async function findSession(
  db: Database,
  run: SessionOf,
  adapterType: string,
): Promise<AgentSession | null> {
  if (!run.issueId) return null;
  const values = [run.agentId, run.issueId, adapterType, run.id];
  const [row] = await db.rows<AgentSession>('find-session', FIND, values);
  return row ? { ...row, counted: tokenCounts.parse(row.counted) } : null;
}

/** Writes nothing for an outdated claim (guarantee G2), nor for a run without an issue. */
export async function rememberSession(
  db: Database,
  run: SessionOf,
  adapterType: string,
  session: { id: string; directory: string },
): Promise<void> {
  const values = [run.id, run.epoch, adapterType, session.id, session.directory];
  await db.rows('remember-session', REMEMBER, values);
}

/**
 * Records what a run used. What its tool counts from the beginning of the conversation is stored in the same
 * transaction, so that no token is told twice or never; `sessionId` is the one that counted, for by now another
 * run at once may have left another. Only updates the session, which takes no lock of agent or issue.
 */
export async function storeUsage(
  call: Call,
  run: SessionOf,
  adapterType: string,
  { counted, ...usage }: UsageReport,
  sessionId: string | null,
): Promise<void> {
  if (!counted || !sessionId || !run.issueId) {
    await recordUsage(call, run, usage);
    return;
  }
  const values = [run.agentId, run.issueId, adapterType, JSON.stringify(counted), sessionId];
  await inTransaction(call, async (tx) => {
    if (await recordUsage(tx, run, usage)) await tx.rows('count-session', COUNT, values);
  });
}

/** The folder of an earlier run, when the conversation began in one; a run that goes on with it works there too. */
export function sessionFolder(
  config: Pick<Config, 'dataDir'>,
  session: AgentSession | null,
): string | null {
  const runs = runFolder(config as Config, '');
  const root = runs.endsWith(sep) ? runs : `${runs}${sep}`;
  return session?.directory.startsWith(root) ? session.directory : null;
}
