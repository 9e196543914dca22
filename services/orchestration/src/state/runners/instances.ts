import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import { conflict, unauthenticated } from '@switchyard/server';
import type { RunnerHelloBody } from '@switchyard/types';
import type { RunnerActor } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { letGoOfRuns } from '../runs/claims/held-runs';
import { POD_INSTANCE } from '../runs/claims/pod-instance';
import { POD_RUNNER_NAME } from './pod-instance';

/**
 * Stores or updates a runner instance. Releases the runs of earlier instances with the same token
 * and name, because only one instance may hold runs at a time.
 * @throws ApiError 409 `runner_replaced` if a later instance exists, `conflict` if another token
 * uses this instance id
 */
export async function enterInstance(
  tx: Tx<string | null>,
  { runnerId, companyId }: RunnerActor,
  { instance, ...hello }: RunnerHelloBody,
): Promise<void> {
  const { name, labels, capacity, probes } = hello;
  const { driver: sandboxDriver, detail: sandboxDetail } = hello.sandbox;
  if (runnerId === null && name === POD_RUNNER_NAME) {
    throw conflict(
      'conflict',
      `the name ${POD_RUNNER_NAME} is reserved for run pods: choose another name`,
    );
  }
  if (instance.toLowerCase() === POD_INSTANCE) throw taken();
  await assertNotRevoked(tx, runnerId);
  await ask(tx, lockName, { key: `runner:${runnerId ?? ''}:${name}` });
  const said = { name, labels, capacity, sandboxDriver, sandboxDetail, probes };
  const [known] = await ask(tx, renewInstance, { ...said, instance, runnerId });
  if (known) return assertPresent(known);
  const earlier = await ask(tx, replaceInstances, { runnerId, name });
  await letGoOfRuns(tx, { instances: earlier.map(({ id }) => id), except: [], givenBefore: null });
  await assertRoom(tx, runnerId);
  await ask(tx, insertInstance, { ...said, instance, runnerId, companyId });
  await ask(tx, markSeen, { runnerId });
}

async function assertNotRevoked(tx: Tx<string | null>, runnerId: string | null): Promise<void> {
  if (runnerId === null) return;
  const found = await ask(tx, lockRunner, { runnerId });
  if (found.length === 0) throw unauthenticated('the token of this runner was revoked');
}

const lockRunner = statement('lock-runner', {
  takes: { runnerId: 'uuid' },
  gives: {},
  sql: ({ runnerId }) =>
    `SELECT FROM runner WHERE id = ${runnerId} AND revoked_at IS NULL FOR NO KEY UPDATE`,
});

/** Maximum number of programs per token of a company, so that a token cannot fill the table. */
const MOST_PROGRAMS = 100;

async function assertRoom(tx: Tx<string | null>, runnerId: string | null): Promise<void> {
  if (runnerId === null) return;
  const [counted] = await ask(tx, tidyInstances, { runnerId });
  if ((counted?.present ?? 0) < MOST_PROGRAMS) return;
  const message = `at most ${MOST_PROGRAMS} processes may use one token: create another runner`;
  throw conflict('conflict', message, { limit: MOST_PROGRAMS });
}

const tidyInstances = statement('tidy-runner-instances', {
  takes: { runnerId: 'uuid' },
  gives: { present: 'int' },
  sql: ({ runnerId }) => `
    WITH gone AS (
      DELETE FROM runner_instance WHERE id IN (
        SELECT id FROM runner_instance
        WHERE runner_id = ${runnerId} AND replaced_at IS NOT NULL
        ORDER BY began_at DESC OFFSET ${MOST_PROGRAMS})
    )
    SELECT count(*)::int AS present FROM runner_instance
    WHERE runner_id = ${runnerId} AND replaced_at IS NULL
      AND last_seen_at > now() - interval '1 hour'`,
});

function assertPresent({ isOwn, isReplaced }: RowOf<typeof renewInstance>): void {
  if (!isOwn) throw taken();
  if (isReplaced) throw replaced();
}

const taken = () =>
  conflict('conflict', 'another runner uses this instance id: generate a new one');

function replaced() {
  const message = 'this runner must stop: its token was revoked, or another process uses its name';
  return conflict('runner_replaced', message, { retry: false });
}

export type PresentInstance = Omit<RowOf<typeof readInstance>, 'runs'> & {
  runs: { id: string; companyId: string; seq: number }[];
};

/**
 * Returns a registered instance with its runs; `over` lists those of `running` that have ended.
 * @throws ApiError 409 `unknown_instance`, `runner_replaced`
 */
export async function presentInstance(
  db: Database,
  { runnerId }: RunnerActor,
  { instance, running }: { instance: string; running: string[] },
): Promise<PresentInstance> {
  const [found] = await ask(db, readInstance, { instance, runnerId, running });
  if (!found) {
    throw conflict('unknown_instance', 'this instance is not registered: call hello first');
  }
  if (found.isReplaced) throw replaced();
  if (found.isUnseen) {
    await ask(db, seeInstance, { instance });
    await ask(db, markSeen, { runnerId });
  }
  return found as PresentInstance;
}

const lockName = statement('lock-runner-name', {
  takes: { key: 'text' },
  gives: {},
  sql: ({ key }) =>
    `SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))) AS held`,
});

const SAID = {
  name: 'text',
  labels: 'text[]',
  capacity: 'int',
  sandboxDriver: 'text',
  sandboxDetail: 'text',
  probes: 'json',
} as const;

/**
 * Writes nothing if the instance was replaced or belongs to another runner; an instance keeps its
 * first name.
 */
const renewInstance = statement('renew-runner-instance', {
  takes: { instance: 'uuid', runnerId: 'uuid?', ...SAID },
  gives: { isOwn: 'bool', isReplaced: 'bool' },
  sql: (p) => `
    WITH known AS (
      SELECT id, runner_id IS NOT DISTINCT FROM ${p.runnerId} AND name = ${p.name} AS is_own,
        replaced_at IS NOT NULL AS is_replaced
      FROM runner_instance WHERE id = ${p.instance} FOR UPDATE
    ), renewed AS (
      UPDATE runner_instance i SET labels = ${p.labels}, capacity = ${p.capacity},
        sandbox_driver = ${p.sandboxDriver}, sandbox_detail = ${p.sandboxDetail},
        probes = ${p.probes}, last_seen_at = now()
      FROM known WHERE i.id = known.id AND known.is_own AND NOT known.is_replaced
    )
    SELECT is_own AS "isOwn", is_replaced AS "isReplaced" FROM known`,
});

const NO_RUNNER = `'00000000-0000-0000-0000-000000000000'`;

const replaceInstances = statement('replace-runner-instances', {
  takes: { runnerId: 'uuid?', name: 'text' },
  gives: { id: 'uuid' },
  sql: ({ runnerId, name }) => `
    UPDATE runner_instance SET replaced_at = now()
    WHERE coalesce(runner_id, ${NO_RUNNER}) = coalesce(${runnerId}, ${NO_RUNNER})
      AND name = ${name} AND replaced_at IS NULL
    RETURNING id`,
});

const insertInstance = statement('insert-runner-instance', {
  takes: { instance: 'uuid', runnerId: 'uuid?', companyId: 'uuid?', ...SAID },
  gives: {},
  sql: (p) => `
    WITH gone AS (
      DELETE FROM runner_instance i WHERE i.last_seen_at < now() - interval '7 days'
        AND NOT EXISTS (SELECT 1 FROM heartbeat_run r
          WHERE r.runner_instance = i.id AND r.status = 'running')
    )
    INSERT INTO runner_instance (id, runner_id, company_id, name, labels, capacity,
      sandbox_driver, sandbox_detail, probes)
    VALUES (${p.instance}, ${p.runnerId}, ${p.companyId}, ${p.name}, ${p.labels}, ${p.capacity},
      ${p.sandboxDriver}, ${p.sandboxDetail}, ${p.probes})`,
});

const readInstance = statement('read-runner-instance', {
  takes: { instance: 'uuid', runnerId: 'uuid?', running: 'uuid[]' },
  gives: {
    name: 'text',
    labels: 'text[]',
    isReplaced: 'bool',
    isUnseen: 'bool',
    runs: 'json',
    over: 'int',
  },
  sql: ({ instance, runnerId, running }) => `
    SELECT i.name, coalesce(i.labels, '{}') AS labels, i.replaced_at IS NOT NULL AS "isReplaced",
      i.last_seen_at < now() - interval '10 seconds' AS "isUnseen",
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', r.id, 'companyId', r.company_id,
          'seq', r.next_seq))
        FROM heartbeat_run r WHERE r.runner_instance = i.id AND r.status = 'running'), '[]') AS runs,
      (SELECT count(*)::int FROM heartbeat_run r WHERE r.id = ANY (${running})
        AND r.runner_instance = i.id AND r.status <> 'running') AS over
    FROM runner_instance i
    WHERE i.id = ${instance} AND i.runner_id IS NOT DISTINCT FROM ${runnerId}`,
});

const seeInstance = statement('see-runner-instance', {
  takes: { instance: 'uuid' },
  gives: {},
  sql: ({ instance }) => `
    UPDATE runner_instance SET last_seen_at = now()
    WHERE id = ${instance} AND last_seen_at < now() - interval '10 seconds'`,
});

const markSeen = statement('see-runner', {
  takes: { runnerId: 'uuid?' },
  gives: {},
  sql: ({ runnerId }) => `UPDATE runner SET last_seen_at = now() WHERE id = ${runnerId}`,
});
