import { ask, type Database, statement } from '@switchyard/db';
import { refusalSql } from '../agents/may-start';

export interface Prospect {
  /** Why the wake would come to nothing; null when a run would serve it. */
  refusal: string | null;
  waitingRunId: string | null;
  /** Whether a wake that was recorded before waits for a run. */
  wakeWaits: boolean;
}

export interface Foreseen {
  id: string;
  name: string;
  prospect: Prospect;
}

/**
 * What would decide about wakes of these agents now, of those that are the company's. Without a lock: the wake itself is
 * admitted behind the agent's.
 */
export function foreseeWakes(
  db: Database,
  companyId: string,
  agentIds: string[],
): Promise<Foreseen[]> {
  return ask(db, readProspects, { companyId, agentIds });
}

/** Whether a run that is waiting, or that a wake before it makes, will serve it. */
export const isForeseenToJoin = ({ waitingRunId, wakeWaits }: Prospect): boolean =>
  waitingRunId !== null || wakeWaits;

/** SQL: the prospect of the agent `a` of the company `c`. */
export const prospectSql = (a: string, c: string) => `json_build_object(
  'refusal', ${refusalSql(a, c)},
  'waitingRunId', (SELECT r.id FROM heartbeat_run r
    WHERE r.agent_id = ${a}.id AND r.status = 'queued'),
  'wakeWaits', (SELECT w.id FROM agent_wakeup w
    WHERE w.agent_id = ${a}.id AND w.status = 'pending' LIMIT 1) IS NOT NULL)`;

const readProspects = statement('foresee-wakes', {
  takes: { companyId: 'uuid', agentIds: 'uuid[]' },
  gives: { id: 'uuid', name: 'text', prospect: 'json' },
  sql: ({ companyId, agentIds }) => `
    SELECT a.id, a.name, ${prospectSql('a', 'c')} AS prospect
    FROM agent a JOIN company c ON c.id = a.company_id
    WHERE a.id = ANY (${agentIds}) AND a.company_id = ${companyId}`,
});
