import { ask, newId, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { lockAgent } from '../agents/lock-agent';
import { nameKey, withUniqueName } from '../names/unique-names';
import { endRun } from '../runs/end-run';
import { lockFinishable } from '../runs/runs';

export async function insertRunner(
  tx: Tx,
  runner: { name: string; labels: string[]; tokenHash: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const { name, labels } = runner;
  const id = newId();
  const { companyId } = tx;
  const values = { ...runner, id, companyId, nameKey: nameKey(name) };
  await withUniqueName('a runner', name, ask(tx, insert, values));
  await tx.record('runner.created', id, { name, labels });
  return id;
}

/** Revokes a token and ends the runs of its instances as lost, in one transaction; idempotent. */
export async function revokeRunner(tx: Tx, runnerId: string): Promise<void> {
  const [revoked] = await ask(tx, revoke, { runnerId });
  if (!revoked) return;
  const instances = await ask(tx, replaceAll, { runnerId });
  const held = await ask(tx, heldByInstances, { instances: instances.map(({ id }) => id) });
  for (const agentId of new Set(held.map((run) => run.agentId))) await lockAgent(tx, agentId);
  for (const { id } of held) {
    const run = await lockFinishable(tx, id);
    const error = `the token of the runner ${revoked.name} was revoked`;
    await endRun(tx, run, { status: 'failed', exitCode: null, errorCode: 'worker_lost', error });
  }
  await tx.record('runner.revoked', runnerId, { name: revoked.name, runs: held.length });
}

const insert = statement('insert-runner', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    name: 'text',
    nameKey: 'text',
    labels: 'text[]',
    tokenHash: 'bytes',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO runner (id, company_id, name, name_key, labels, token_hash)
    VALUES (${p.id}, ${p.companyId}, ${p.name}, ${p.nameKey}, ${p.labels}, ${p.tokenHash})`,
});

const revoke = statement('revoke-runner', {
  takes: { runnerId: 'uuid' },
  gives: { name: 'text' },
  sql: ({ runnerId }) => `
    UPDATE runner SET revoked_at = now() WHERE id = ${runnerId} AND revoked_at IS NULL RETURNING name`,
});

const replaceAll = statement('replace-instances-of-runner', {
  takes: { runnerId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ runnerId }) => `
    UPDATE runner_instance SET replaced_at = now()
    WHERE runner_id = ${runnerId} AND replaced_at IS NULL RETURNING id`,
});

const heldByInstances = statement('runs-of-runner-instances', {
  takes: { instances: 'uuid[]' },
  gives: { id: 'uuid', agentId: 'uuid' },
  sql: ({ instances }) => `
    SELECT id, agent_id AS "agentId" FROM heartbeat_run
    WHERE runner_instance = ANY (${instances}) AND status = 'running' ORDER BY agent_id, id`,
});
