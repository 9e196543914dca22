import type { Transaction } from '@switchyard/db';
import { SYSTEM } from '../../access/actor';
import { recordActivities } from '../activity';

export interface EndedRun {
  id: string;
  companyId: string;
  agentId: string;
  status: 'succeeded' | 'failed' | 'timed_out' | 'cancelled';
  exitCode: number | null;
  errorCode: string | null;
}

/** What every end of a run leaves, of one that waited as of one that ran: its record, and a count of it. */
export async function recordRunEnds(tx: Transaction, ended: EndedRun[]): Promise<void> {
  await recordActivities(
    tx,
    ended.map(({ id, companyId, agentId, status, exitCode, errorCode }) => ({
      companyId,
      actor: SYSTEM,
      runId: id,
      action: `heartbeat.${status}`,
      entityType: 'heartbeat_run',
      entityId: id,
      details: { agentId, exitCode, errorCode },
    })),
  );
  for (const { status } of ended) tx.count(`run ${status}`);
}
