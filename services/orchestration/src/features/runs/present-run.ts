import type { HeartbeatRunModel } from '@switchyard/db';
import type { HeartbeatRunView, WakeReason } from '@switchyard/types';

export function presentRun(row: HeartbeatRunModel): HeartbeatRunView {
  return {
    id: row.id,
    companyId: row.companyId,
    agentId: row.agentId,
    status: row.status as HeartbeatRunView['status'],
    source: row.source as HeartbeatRunView['source'],
    wakeReasons: row.wakeReasons as WakeReason[],
    issueId: row.issueId,
    routineRunId: row.routineRunId,
    retryOfRunId: row.retryOfRunId,
    attempt: row.attempt,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    exitCode: row.exitCode,
    errorCode: row.errorCode,
    error: row.error,
    usage: {
      inputTokens: Number(row.inputTokens),
      outputTokens: Number(row.outputTokens),
      costCents: Number(row.costCents),
      unpricedEvents: row.unpricedEvents,
    },
    logBytes: row.logBytes,
    createdAt: row.createdAt.toISOString(),
  };
}
