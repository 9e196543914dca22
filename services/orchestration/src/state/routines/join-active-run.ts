import { announce, ask, newId, statement } from '@switchyard/db';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import type { WebhookActor } from '../../kernel/actor';
import type { Call } from '../../kernel/call';
import { hasTextRoomSql } from '../companies/text-quota';
import { ACTIVE_RUN, mayFireSql } from './active-run';
import type { Firing } from './record-firing';
import { type RoutineRunRow, RUN, selectRun } from './run-columns';
import { settleTrigger } from './settle-trigger';
import { acceptFrom, areAccepted, onceValue, type Signature } from './signatures';

export type JoiningFiring = Pick<Firing, 'payload' | 'delivery'> & { once: readonly Signature[] };

/**
 * Records a webhook's firing as coalesced or skipped while the routine's last issue is active.
 * Otherwise returns null, e.g. for a replayed signature or a paused routine. Takes no lock, because
 * joining changes nothing that the routine's lock protects.
 */
export async function joinActiveRun(
  call: Call & { actor: WebhookActor },
  { payload, delivery, once }: JoiningFiring,
): Promise<RoutineRunRow | null> {
  const { actor, companyId, db } = call;
  const { triggerId, secretVersion } = actor;
  const [run] = await ask(db, joinActive, {
    id: newId(),
    triggerId,
    secretVersion,
    payload,
    delivery,
    once: onceValue(once),
    textLimit: call.context.config.companyTextBytes,
    ...activityOf(call),
  });
  if (!run) return null;
  announce(db, companyId);
  return run;
}

const joinActive = statement('join-active-run', {
  takes: {
    id: 'uuid',
    triggerId: 'uuid',
    secretVersion: 'int',
    payload: 'json?',
    delivery: 'json?',
    once: 'json',
    textLimit: 'bigint',
    ...ACTIVITY,
  },
  gives: RUN,
  sql: (p) => `
    WITH fires AS (
      SELECT r.id AS routine_id, r.company_id, active.id AS active_run_id, active.issue_id,
        active.joins_as AS status
      FROM routine_trigger t JOIN routine r ON r.id = t.routine_id JOIN company c ON c.id = r.company_id
        CROSS JOIN LATERAL ${ACTIVE_RUN}
      WHERE t.id = ${p.triggerId} AND t.enabled AND t.secret_version = ${p.secretVersion}
        AND ${mayFireSql('r', 'c')}
        AND active.joins_as IS NOT NULL AND active.is_live
        AND (${p.payload} IS NULL
          OR ${hasTextRoomSql({ companyId: 'r.company_id', textLimit: p.textLimit }, `octet_length(${p.payload}::text)`)})
    ), accepted AS (${acceptFrom(p, 'fires')}
    ), run AS (
      INSERT INTO routine_run (id, company_id, routine_id, trigger_id, source, status, payload, delivery,
        linked_issue_id, active_run_id, completed_at)
      SELECT ${p.id}, company_id, routine_id, ${p.triggerId}, 'webhook', status, ${p.payload}, ${p.delivery},
        issue_id, active_run_id, clock_timestamp()
      FROM fires WHERE ${areAccepted(p, 'accepted')}
      RETURNING *
    ), settled AS (${settleTrigger('(SELECT trigger_id FROM run)', 'NULL::text')}
    ), activity AS (${insertActivity(p, {
      action: 'routine.fired',
      from: 'run',
      companyId: 'company_id',
      entityId: 'routine_id',
      details: `jsonb_build_object('routineRunId', id, 'triggerId', trigger_id, 'source', source,
        'status', status, 'issueId', linked_issue_id)`,
    })})
    SELECT ${selectRun('brief')} FROM run`,
});
