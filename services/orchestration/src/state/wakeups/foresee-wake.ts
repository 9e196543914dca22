import { ask, type Database, statement } from '@switchyard/db';
import { refusalSql } from '../agents/may-start';

export interface Prospect {
  refusal: string | null;
  waitingRunId: string | null;
  wakeWaits: boolean;
}

export interface Foreseen {
  id: string;
  name: string;
  prospect: Prospect;
}

/**
 * Reads, without a lock, the state that decides whether these agents would be woken now. The actual
 * decision is made under the agent's lock.
 */
export function foreseeWakes(
  db: Database,
  companyId: string,
  agentIds: string[],
): Promise<Foreseen[]> {
  return ask(db, readProspects, { companyId, agentIds });
}

export const NO_WAKE = { heartbeatRunId: null, wakeupId: null } as const;

export const isForeseenToJoin = ({ waitingRunId, wakeWaits }: Prospect): boolean =>
  waitingRunId !== null || wakeWaits;

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
