import { bind, type RowOf, select, statement, type Transaction, trip } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { ACTIVE_RUN } from './active-run';
import { lockRoutineRow, ROUTINE } from './lock-routine';
import { acceptFrom, areAccepted, onceValue, type Signature } from './signatures';

/**
 * Locks a routine, reads behind the lock what decides over a firing, and accepts its signatures. `runId` names a firing that
 * a schedule put down.
 */
export async function lockForFiring(
  tx: Transaction,
  routineId: string,
  firing: { triggerId: string | null; runId?: string; once?: readonly Signature[] },
): Promise<LockedForFiring> {
  const { triggerId, runId = null, once = [] } = firing;
  const values = { routineId, triggerId, runId, once: onceValue(once) };
  const [locked] = await trip(tx, [bind(lockRoutineRow, { routineId })], readFacts, values);
  if (!locked) throw notFound('routine');
  return locked;
}

const readFacts = statement('firing-facts', {
  takes: {
    routineId: 'uuid',
    triggerId: 'uuid?',
    runId: 'uuid?',
    once: 'json',
  },
  gives: {
    ...ROUTINE,
    companyStatus: 'text',
    triggerEnabled: 'bool?',
    triggerMadeByAgent: 'bool?',
    secretVersion: 'int?',
    activeRunId: 'uuid?',
    activeIssueId: 'uuid?',
    isLive: 'bool?',
    isPending: 'bool?',
    isAccepted: 'bool',
  },
  sql: (p) => `
    WITH accepted AS (
      ${acceptFrom(p, `(SELECT company_id FROM routine_trigger WHERE id = ${p.triggerId}) t`)})
    SELECT ${select(ROUTINE, 'r')}, c.status AS "companyStatus", t.enabled AS "triggerEnabled",
      t.made_by_agent AS "triggerMadeByAgent", t.secret_version AS "secretVersion",
      active.id AS "activeRunId", active.issue_id AS "activeIssueId", active.is_live AS "isLive",
      EXISTS (SELECT FROM routine_run p WHERE p.id = ${p.runId} AND p.status = 'pending') AS "isPending",
      ${areAccepted(p, 'accepted')} AS "isAccepted"
    FROM routine r JOIN company c ON c.id = r.company_id
      LEFT JOIN routine_trigger t ON t.id = ${p.triggerId}
      LEFT JOIN LATERAL ${ACTIVE_RUN} ON true
    WHERE r.id = ${p.routineId}`,
});

/** A trigger's columns are null when there is none, those of the active run when none is active. */
export type LockedForFiring = RowOf<typeof readFacts>;
