import { ask, type RowOf, statement, type Transaction } from '@switchyard/db';
import { ACTIVE_RUN } from './active-run';

/** What decides over a firing, beside the routine itself, whose lock the caller holds. */
export async function readFiringFacts(
  tx: Transaction,
  routineId: string,
  triggerId: string | null,
): Promise<FiringFacts> {
  const [facts] = await ask(tx, firingFacts, { routineId, triggerId });
  return facts as FiringFacts;
}

const firingFacts = statement('firing-facts', {
  takes: { routineId: 'uuid', triggerId: 'uuid?' },
  gives: {
    companyStatus: 'text',
    triggerEnabled: 'bool?',
    triggerMadeByAgent: 'bool?',
    secretVersion: 'int?',
    activeRunId: 'uuid?',
    activeIssueId: 'uuid?',
    isLive: 'bool?',
  },
  sql: ({ routineId, triggerId }) => `
    SELECT c.status AS "companyStatus", t.enabled AS "triggerEnabled",
      t.made_by_agent AS "triggerMadeByAgent", t.secret_version AS "secretVersion",
      active.id AS "activeRunId", active.issue_id AS "activeIssueId", active.is_live AS "isLive"
    FROM routine r JOIN company c ON c.id = r.company_id
      LEFT JOIN routine_trigger t ON t.id = ${triggerId}
      LEFT JOIN LATERAL ${ACTIVE_RUN} ON true
    WHERE r.id = ${routineId}`,
});

/** A trigger's columns are null when there is none, the active run's when none is active. */
export type FiringFacts = RowOf<typeof firingFacts>;
