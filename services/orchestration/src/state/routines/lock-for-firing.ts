import { ask, type RowOf, select, statement, type Transaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { ACTIVE_RUN, notFiringSql } from './active-run';
import { ROUTINE } from './lock-routine';
import { acceptFrom, areAccepted, onceValue, type Signature } from './signatures';

/**
 * Locks a routine and its assignee, then reads the facts that decide a firing and accepts the
 * signatures in `once`. `runId` is the routine run that a schedule stored in advance.
 * @throws ApiError 404 if the routine does not exist
 */
export async function lockForFiring(
  tx: Transaction,
  routineId: string,
  firing: { triggerId: string | null; runId?: string; once?: readonly Signature[] },
): Promise<LockedForFiring> {
  const { triggerId, runId = null, once = [] } = firing;
  await lockRoutineAndAgent(tx, routineId);
  const [facts] = await ask(tx, readFacts, { routineId, triggerId, runId, once: onceValue(once) });
  if (!facts) throw notFound('routine');
  return facts;
}

/**
 * The first statement returns no row if the assignee changed while it waited for the lock. The
 * second one then locks the new assignee.
 */
async function lockRoutineAndAgent(tx: Transaction, routineId: string): Promise<void> {
  const locked = await ask(tx, lockFiring, { routineId });
  if (locked.length === 0) await ask(tx, lockFiring, { routineId });
}

const lockFiring = statement('lock-routine-and-agent', {
  takes: { routineId: 'uuid' },
  gives: {},
  sql: ({ routineId }) => `
    SELECT FROM routine r JOIN agent a ON a.id = r.assignee_agent_id
    WHERE r.id = ${routineId} FOR NO KEY UPDATE OF r, a`,
});

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
    notFiring: 'text?',
    triggerEnabled: 'bool?',
    triggerMadeByAgent: 'bool?',
    secretVersion: 'int?',
    activeRunId: 'uuid?',
    activeIssueId: 'uuid?',
    joinsAs: 'text?',
    isLive: 'bool?',
    isPending: 'bool?',
    isAccepted: 'bool',
  },
  sql: (p) => `
    WITH accepted AS (
      ${acceptFrom(p, `(SELECT company_id FROM routine_trigger WHERE id = ${p.triggerId}) t`)})
    SELECT ${select(ROUTINE, 'r')}, c.status AS "companyStatus",
      ${notFiringSql('r', 'c')} AS "notFiring", t.enabled AS "triggerEnabled",
      t.made_by_agent AS "triggerMadeByAgent", t.secret_version AS "secretVersion",
      active.id AS "activeRunId", active.issue_id AS "activeIssueId", active.joins_as AS "joinsAs",
      active.is_live AS "isLive",
      EXISTS (SELECT FROM routine_run p WHERE p.id = ${p.runId} AND p.status = 'pending') AS "isPending",
      ${areAccepted(p, 'accepted')} AS "isAccepted"
    FROM routine r JOIN company c ON c.id = r.company_id
      LEFT JOIN routine_trigger t ON t.id = ${p.triggerId}
      LEFT JOIN LATERAL ${ACTIVE_RUN} ON true
    WHERE r.id = ${p.routineId}`,
});

export type LockedForFiring = RowOf<typeof readFacts>;
