import {
  ask,
  type Database,
  jsonObject,
  type RowOf,
  select,
  statement,
  type Transaction,
} from '@switchyard/db';
import { agentName, issueReference } from '../../lists/row-facts';
import { callbackStateSql } from '../deliveries/insert-callback';
import { blockingLimitSql } from './claims/run-limits';
import { competesSql, expectedStartSql, positionSql, waitsForSql } from './claims/waits-for';
import { wakeIssuesSql } from './wakes';

export const RUN = {
  id: 'uuid',
  companyId: 'uuid',
  agentId: 'uuid',
  status: 'text',
  source: 'text',
  wakeReasons: 'json',
  issueId: 'uuid?',
  routineRunId: 'uuid?',
  retryOfRunId: 'uuid?',
  retriedByRunId: 'uuid?',
  attempt: 'int',
  notBefore: 'time?',
  startedAt: 'time?',
  finishedAt: 'time?',
  exitCode: 'int?',
  errorCode: 'text?',
  error: 'text?',
  inputTokens: 'bigint',
  outputTokens: 'bigint',
  costCents: 'bigint',
  unpricedEvents: 'int',
  logBytes: 'int',
  createdAt: 'time',
} as const;

export type RunRow = RowOf<typeof read>;

export async function readRun(db: Database, runId: string): Promise<RunRow | null> {
  const [run] = await ask(db, read, { runId });
  return run ?? null;
}

const read = statement('read-run', {
  takes: { runId: 'uuid' },
  gives: RUN,
  sql: ({ runId }) => `SELECT ${select(RUN, 'r')} FROM heartbeat_run r WHERE r.id = ${runId}`,
});

export async function readRunDetail(
  db: Database,
  values: { runId: string; maxRunning: number },
): Promise<RowOf<typeof readDetail> | null> {
  const [run] = await ask(db, readDetail, values);
  return run ?? null;
}

const readDetail = statement('read-run-detail', {
  takes: { runId: 'uuid', maxRunning: 'int' },
  gives: {
    ...RUN,
    wakeIssues: 'json',
    waitsFor: 'text?',
    limit: 'json?',
    queuePosition: 'int?',
    expectedStartAt: 'time?',
    agentName: 'text',
    adapterType: 'text',
    issue: 'json?',
    callback: 'text?',
    retriedAs: 'json?',
  },
  sql: ({ runId, maxRunning }) => `
    SELECT ${select(RUN, 'r')}, ${wakeIssuesSql('r')} AS "wakeIssues",
      waits.reason AS "waitsFor", waits.blocking AS "limit", place.position AS "queuePosition",
      CASE waits.reason WHEN 'retry_time' THEN r.not_before
        ELSE ${expectedStartSql('r.company_id', 'place.position')} END AS "expectedStartAt",
      ${agentName('r.agent_id')} AS "agentName",
      (SELECT adapter_type FROM agent WHERE id = r.agent_id) AS "adapterType",
      ${issueReference('r.issue_id')} AS issue,
      ${callbackStateSql('r')} AS callback,
      (SELECT ${jsonObject({ id: 'uuid', status: 'text' }, 'again')} FROM heartbeat_run again
        WHERE again.company_id = r.company_id AND again.retry_of_run_id = r.id
        ORDER BY again.created_at DESC, again.id DESC LIMIT 1) AS "retriedAs"
    FROM heartbeat_run r
      LEFT JOIN LATERAL (
        SELECT reason, CASE reason WHEN 'limit' THEN ${blockingLimitSql('a', 'c.id')} END AS blocking
        FROM agent a JOIN company c ON c.id = a.company_id CROSS JOIN LATERAL (
          SELECT ${waitsForSql({ run: 'r', agent: 'a', company: 'c', companyId: 'c.id', maxRunning })} AS reason
        ) found WHERE a.id = r.agent_id
      ) waits ON r.status = 'queued'
      LEFT JOIN LATERAL (SELECT ${positionSql('r')} AS position) place ON ${competesSql('waits.reason')}
    WHERE r.id = ${runId}`,
});

export async function lockRun(tx: Transaction, runId: string): Promise<RowOf<typeof lockRunRow>> {
  const [run] = await ask(tx, lockRunRow, { runId });
  if (!run) throw new Error(`the run ${runId} does not exist`);
  return run;
}

export type FinishableRun = RowOf<typeof readFinishable>;

export async function lockFinishable(tx: Transaction, runId: string): Promise<FinishableRun> {
  await lockRun(tx, runId);
  const [run] = await ask(tx, readFinishable, { runId });
  if (!run) throw new Error(`the run ${runId} does not exist`);
  return run;
}

const readFinishable = statement('read-finishable-run', {
  takes: { runId: 'uuid' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    status: 'text',
    epoch: 'int',
    issueId: 'uuid?',
    routineRunId: 'uuid?',
    hops: 'int',
    retries: 'int',
    wakeReasons: 'json',
    isDetached: 'bool',
    adapterType: 'text',
  },
  sql: ({ runId }) => `
    SELECT r.id, r.company_id AS "companyId", r.agent_id AS "agentId", r.status, r.epoch,
      r.issue_id AS "issueId", r.routine_run_id AS "routineRunId", r.hops, r.retries,
      r.wake_reasons AS "wakeReasons", r.is_detached AS "isDetached", a.adapter_type AS "adapterType"
    FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id WHERE r.id = ${runId}`,
});

/**
 * FOR UPDATE, because callers that act in the run hold a key share lock, and a weaker lock would
 * not wait for them.
 */
const lockRunRow = statement('lock-run', {
  takes: { runId: 'uuid' },
  gives: { status: 'text', isCancelRequested: 'bool' },
  sql: ({ runId }) => `
    SELECT status, cancel_requested_at IS NOT NULL AS "isCancelRequested" FROM heartbeat_run
    WHERE id = ${runId} FOR UPDATE`,
});
