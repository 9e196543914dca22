import { ask, type Database, isId, statement } from '@switchyard/db';
import type { AgentSession, CountedUse } from '@switchyard/runner/agents/agent-adapter';
import { countedUse } from '@switchyard/runner/agents/coding-agents/streams/read-json';

interface SessionOf {
  id: string;
  epoch: number;
  companyId: string;
  agentId: string;
  issueId: string | null;
}

export async function findSession(
  db: Database,
  { id: runId, agentId, issueId }: SessionOf,
  adapterType: string,
): Promise<AgentSession | null> {
  if (!issueId) return null;
  const [found] = await ask(db, findFree, { agentId, issueId, adapterType, runId });
  return found ? { ...found, counted: countedUse.parse(found.counted) } : null;
}

const findFree = statement('find-session', {
  takes: { agentId: 'uuid', issueId: 'uuid', adapterType: 'text', runId: 'uuid' },
  gives: { id: 'text', directory: 'text', counted: 'json' },
  sql: ({ agentId, issueId, adapterType, runId }) => `
    SELECT session_id AS "id", directory, counted FROM agent_session s
    WHERE agent_id = ${agentId} AND issue_id = ${issueId} AND adapter_type = ${adapterType}
      AND NOT EXISTS (SELECT 1 FROM heartbeat_run o
        WHERE o.agent_id = s.agent_id AND o.issue_id = s.issue_id AND o.status = 'running'
          AND o.id <> ${runId})`,
});

/**
 * Writes nothing for an outdated claim, a run without an issue, or a directory named after another
 * agent's run. The directory's name is checked, because a company's runner chooses it and the next
 * run may use the installation's shared runner.
 */
export async function rememberSession(
  db: Database,
  { id: runId, epoch }: SessionOf,
  adapterType: string,
  { id: sessionId, directory }: { id: string; directory: string },
): Promise<void> {
  const last = directory.split('/').at(-1) ?? '';
  const folderOf = isId(last) ? last : null;
  await ask(db, remember, { runId, epoch, adapterType, sessionId, directory, folderOf });
}

const remember = statement('remember-session', {
  takes: {
    runId: 'uuid',
    epoch: 'int',
    adapterType: 'text',
    sessionId: 'text',
    directory: 'text',
    folderOf: 'uuid?',
  },
  gives: {},
  sql: ({ runId, epoch, adapterType, sessionId, directory, folderOf }) => `
    INSERT INTO agent_session AS s
      (company_id, agent_id, issue_id, adapter_type, session_id, directory)
    SELECT company_id, agent_id, issue_id, ${adapterType}, ${sessionId}, ${directory}
    FROM heartbeat_run r
    WHERE id = ${runId} AND epoch = ${epoch} AND status = 'running' AND issue_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM heartbeat_run o
        WHERE o.id = ${folderOf} AND o.agent_id <> r.agent_id)
    ON CONFLICT (agent_id, issue_id, adapter_type) DO UPDATE SET
      session_id = excluded.session_id, directory = excluded.directory, updated_at = now(),
      counted = CASE s.session_id WHEN excluded.session_id THEN s.counted ELSE '{}' END`,
});

/**
 * `sessionId` names the session that was counted, because a concurrent run may have stored another
 * one.
 */
export async function countSession(
  db: Database,
  { agentId, issueId }: { agentId: string; issueId: string },
  adapterType: string,
  counted: CountedUse,
  sessionId: string,
): Promise<void> {
  await ask(db, count, { agentId, issueId, adapterType, counted, sessionId });
}

const count = statement('count-session', {
  takes: {
    agentId: 'uuid',
    issueId: 'uuid',
    adapterType: 'text',
    counted: 'json',
    sessionId: 'text',
  },
  gives: {},
  sql: (p) => `
    UPDATE agent_session SET counted = ${p.counted}, updated_at = now()
    WHERE agent_id = ${p.agentId} AND issue_id = ${p.issueId} AND adapter_type = ${p.adapterType}
      AND session_id = ${p.sessionId}`,
});
