import { anySql, ask, type Rows, statement } from '@switchyard/db';
import type { JobPayload } from '@switchyard/types';
import type { Context } from '../kernel/context';
import { isExternalSql } from './agents/run-transitions';
import { hasRoomSql, isReadySql } from './runs/claims/claim-order';
import { hasFullKeySql } from './runs/claims/run-limits';

/**
 * Sends hints again for waiting rows whose hints were lost with a job, a flushed Redis or a dead
 * worker. Safe with any number of sweepers, because `hinted_at` prevents repeated hints. Returns
 * the number of rows.
 */
export async function rehint<Queue extends keyof typeof FORGOTTEN>(
  { db, hints }: Pick<Context, 'db' | 'hints'>,
  queue: Queue,
): Promise<number> {
  const { payloadOf, waiting } = FORGOTTEN[queue];
  let hinted = 0;
  for (const { hint } of waiting) {
    const rows = await ask(db, hint, {});
    await Promise.all(rows.map(({ id }) => hints.hint(queue, payloadOf(id) as JobPayload<Queue>)));
    hinted += rows.length;
  }
  return hinted;
}

export const isForgottenSql = (queue: keyof typeof FORGOTTEN): string =>
  FORGOTTEN[queue].waiting.map(({ isThere }) => isThere).join(' OR ');

const REHINT_AFTER = "interval '2 seconds'";
const BATCH = 500;

const FORGOTTEN = {
  'heartbeat-runs': {
    payloadOf: (runId: string) => ({ runId }),
    waiting: [
      forgotten('rehint-due-runs', {
        from: 'heartbeat_run w JOIN agent a ON a.id = w.agent_id',
        where: `w.status = 'queued' AND (w.hinted_at IS NULL OR w.hinted_at < now() - ${REHINT_AFTER})
          AND ${isReadySql('w')} AND NOT ${isExternalSql('a')} AND ${hasRoomSql('a')}
          AND NOT ${hasFullKeySql('a')}`,
        order: 'w.hinted_at',
        first: 'w.hinted_at NULLS FIRST',
      }),
      forgotten('rehint-abandoned-runs', {
        from: 'heartbeat_run w',
        where: `w.status = 'running' AND w.lease_expires_at < now()
          AND (w.hinted_at IS NULL OR w.hinted_at < now() - ${REHINT_AFTER}
            OR w.hinted_at < w.lease_expires_at)`,
        order: 'w.lease_expires_at',
      }),
    ],
  },
  'mention-wakeups': {
    payloadOf: (wakeupId: string) => ({ wakeupId }),
    waiting: [forgottenPending('rehint-wakeups', 'agent_wakeup')],
  },
  'routine-firings': {
    payloadOf: (routineRunId: string) => ({ routineRunId }),
    waiting: [forgottenPending('rehint-firings', 'routine_run')],
  },
};

function forgottenPending(name: string, table: string) {
  return forgotten(name, {
    from: `${table} w`,
    where: `w.status = 'pending'
      AND coalesce(w.hinted_at, w.created_at) < now() - ${REHINT_AFTER}`,
    order: 'w.created_at',
  });
}

function forgotten(name: string, waiting: Rows & { first?: string }) {
  const { from, where, order, first = order } = waiting;
  return {
    isThere: anySql(waiting),
    hint: statement(name, {
      takes: {},
      gives: { id: 'uuid' },
      sql: () => `
        UPDATE ${from.split(' ')[0]} SET hinted_at = now() WHERE id IN (
          SELECT w.id FROM ${from} WHERE ${where}
          ORDER BY ${first} LIMIT ${BATCH} FOR UPDATE OF w SKIP LOCKED
        ) RETURNING id`,
    }),
  };
}
