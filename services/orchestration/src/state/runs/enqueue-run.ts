import {
  announce,
  ask,
  bind,
  type FromColumns,
  type RowOf,
  select,
  statement,
  trip,
} from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import { announceWork } from '../../kernel/announce-work';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { lockAgent, lockAgentRow } from '../agents/lock-agent';
import { liftBudgetPause } from '../agents/transitions';
import {
  ADMISSION,
  ADMITTED,
  admissionSql,
  admissionValues,
  isFullSql,
  selectAdmitted,
  type Wake,
} from './admission';
import { RUN, type RunRow } from './runs';

export type Admission =
  | { outcome: 'admitted'; run: RunRow }
  | { outcome: 'skipped'; reason: string };

/**
 * Wakes an agent again for an ended run (`admissionSql`). The transaction must not hold a lock that
 * comes after the agent's in the lock order.
 * @throws ApiError 404
 */
export function enqueueRun(tx: Tx, wake: Wake): Promise<Admission> {
  return admit(tx, wake, (lock) => trip(tx, [lock], enqueue, admissionValues(wake)));
}

export function invokeAgent(call: Call, wake: Wake): Promise<Admission> {
  const values = { ...admissionValues(wake), ...activityOf(call), reason: wake.reason };
  return admit(call, wake, (lock) => trip(call.db, [lock], invoke, values));
}

type Answer = RowOf<typeof enqueue>;

async function admit(
  call: Call,
  wake: Wake,
  send: (lock: ReturnType<typeof lockOf>) => Promise<Answer[]>,
): Promise<Admission> {
  const [answer] = await send(lockOf(wake.agentId));
  if (!answer) throw notFound('agent');
  const { refusal, adapterType: _, joins: __, outlivesPause: ___, ...run } = answer;
  if (refusal === null) {
    await followAdmission(call, wake, answer);
    return { outcome: 'admitted', run };
  }
  call.context.metrics.countWake(wake.source, 'skipped');
  return { outcome: 'skipped', reason: refusal };
}

const lockOf = (agentId: string) => bind(lockAgentRow, { agentId });

export type AdmittedRun = FromColumns<typeof ADMITTED> & { id: string };

/**
 * Call after a statement that admitted a wake. Counts the wake, notifies streams and the executor,
 * and lifts a budget pause of an earlier month.
 */
export async function followAdmission(
  call: Call,
  { agentId, source, retry }: Pick<Wake, 'agentId' | 'source' | 'retry'>,
  { id: runId, adapterType, joins, outlivesPause }: AdmittedRun,
): Promise<void> {
  const { context, db, companyId } = call;
  announce(db, companyId);
  if (outlivesPause) await liftPause(call, agentId);
  const notify = async () => {
    context.metrics.countWake(source, joins ? 'coalesced' : 'woken');
    if (!joins && retry?.delayMs) return;
    if (context.adapters.runnerTypes.includes(adapterType)) announceWork(context.nudges, 'runs');
    else await context.hints.hint('heartbeat-runs', { runId });
  };
  if (db.transaction) db.transaction.afterCommit(notify);
  else await notify();
}

function liftPause(call: Call, agentId: string): Promise<void> {
  return inTransaction(call, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent.pauseReason === 'budget' && !agent.agentBudgetSpent) await liftBudgetPause(tx, agent);
  });
}

export async function isWaitingRunFull(tx: Tx, agentId: string): Promise<boolean> {
  const [full] = await ask(tx, findFull, { agentId });
  return full !== undefined;
}

const enqueue = statement('enqueue-run', {
  takes: ADMISSION,
  gives: { ...RUN, ...ADMITTED, refusal: 'text?' },
  sql: (p) => `
    WITH ${admissionSql(p, { whenFull: 'joins' })}, retried AS (
      UPDATE heartbeat_run r SET retried_by_run_id = admitted.id FROM admitted WHERE r.id = ${p.retryOfRunId}
    )
    SELECT ${select(RUN, 'admitted')}, ${selectAdmitted}, asked.refusal FROM asked LEFT JOIN admitted ON true`,
});

const invoke = statement('invoke-agent', {
  takes: { ...ADMISSION, ...ACTIVITY, reason: 'text?' },
  gives: { ...RUN, ...ADMITTED, refusal: 'text?' },
  onePlan: true,
  sql: (p) => `
    WITH ${admissionSql(p, { whenFull: 'joins' })}, recorded AS (${insertActivity(p, {
      action: 'heartbeat.invoked',
      from: 'admitted, asked',
      companyId: 'admitted.company_id',
      entityId: 'admitted.id',
      details: `jsonb_build_object('agentId', admitted.agent_id, 'reason', ${p.reason},
        'outcome', CASE WHEN waiting_id IS NULL THEN 'woken' ELSE 'coalesced' END)`,
    })})
    SELECT ${select(RUN, 'admitted')}, ${selectAdmitted}, asked.refusal FROM asked LEFT JOIN admitted ON true`,
});

const findFull = statement('find-full-run', {
  takes: { agentId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ agentId }) => `
    SELECT id FROM heartbeat_run r
    WHERE agent_id = ${agentId} AND status = 'queued' AND ${isFullSql('r')}`,
});
