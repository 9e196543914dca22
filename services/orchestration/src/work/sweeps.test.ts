import { type Database, newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { useHarness } from '../../test/harness';
import { newStorageKey } from '../adapters/file-store/file-store';
import type { Context } from '../context';
import { claimDue } from '../features/routines/schedule/claim-due';
import { dueSweeps, findDueSweeps, SWEEPS, startSweeps } from './sweeps';

type Name = keyof typeof SWEEPS;
type Query = Parameters<Database['query']>[0];

describe('a sweep', () => {
  const harness = useHarness();
  const sql = (text: string, values: unknown[] = []) => harness.context.db.pool.query(text, values);
  const runs = (name: Name): Promise<unknown> => SWEEPS[name].work(harness.context);

  /** The product, with every statement shown to `onQuery` before it is sent outside of a transaction. */
  const watched = (onQuery: (config: Query) => void): Context => {
    const { db } = harness.context;
    const query = (config: Query) => {
      onQuery(config);
      return db.query(config);
    };
    return { ...harness.context, db: { ...db, query } as Database as Context['db'] };
  };

  const settle = async () => {
    for (let due = await dueSweeps(harness.context); due.length > 0; ) {
      for (const name of due) await runs(name);
      due = await dueSweeps(harness.context);
    }
  };

  /** What makes each of them due. */
  const WAITING: Record<Name, () => Promise<unknown>> = {
    runs: async () => {
      await harness.build.queuedRun((await harness.build.agent()).id);
      await sql(`UPDATE heartbeat_run SET hinted_at = now() - interval '3 seconds'`);
    },
    wakeups: async () => {
      const { id, companyId } = await harness.build.agent();
      await sql(
        `INSERT INTO agent_wakeup (id, company_id, agent_id, source, created_at)
         VALUES ($1, $2, $3, 'manual', now() - interval '3 seconds')`,
        [newId(), companyId, id],
      );
    },
    firings: async () => {
      const { id } = await harness.build.routine();
      await harness.build.trigger(id, {
        kind: 'schedule',
        cronExpression: '* * * * *',
        timezone: 'UTC',
      });
      await sql(`UPDATE routine_trigger SET next_run_at = date_trunc('minute', now())`);
      await claimDue(harness.context);
      await sql(`UPDATE routine_run SET hinted_at = now() - interval '3 seconds'`);
    },
    detachedRuns: async () => {
      const { id } = await harness.build.liveRun();
      await sql(
        `UPDATE heartbeat_run SET is_detached = true, hinted_at = now(),
           lease_expires_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
    },
    budgets: async () => {
      const { id } = await harness.build.agent();
      await sql(`UPDATE agent SET status = 'paused', pause_reason = 'budget' WHERE id = $1`, [id]);
    },
    assets: async () => {
      const { id } = await harness.build.company();
      await sql(
        `INSERT INTO asset (id, company_id, storage_key, content_type, byte_size, sha256, expires_at)
         VALUES ($1, $2, $3, '', 0, '', now() - interval '1 second')`,
        [newId(), id, newStorageKey()],
      );
    },
    answers: () =>
      sql(
        `INSERT INTO idempotency_record (scope, key, request_hash, created_at)
         VALUES ('scope', 'key', '-', now() - interval '25 hours')`,
      ),
    signatures: async () => {
      const { id, companyId } = await harness.build.routine();
      const trigger = await harness.build.trigger(id, { kind: 'webhook' });
      await sql(
        `INSERT INTO webhook_signature (company_id, trigger_id, digest, expires_at)
         VALUES ($1, $2, 'digest', now() - interval '1 second')`,
        [companyId, trigger.id],
      );
    },
    checks: async () => {
      const { id, companyId } = await harness.build.agent();
      await sql(
        `INSERT INTO agent_check (id, company_id, agent_id, requested_at)
         VALUES ($1, $2, $3, now() - interval '3 minutes')`,
        [newId(), companyId, id],
      );
    },
    statuses: () => harness.build.issue(),
    searchBackfill: () =>
      sql(`INSERT INTO search_backfill (kind, after_id) VALUES ('issue', $1)`, [newId()]),
  };

  it.each(Object.keys(WAITING) as Name[])('is due while something waits: %s', async (name) => {
    await settle();
    expect(await dueSweeps(harness.context)).toEqual([]);
    await WAITING[name]();
    expect(await dueSweeps(harness.context)).toContain(name);
    await settle();
  });

  it('asks one question a round where nothing waits', async () => {
    await settle();
    const asked: (string | undefined)[] = [];
    const context = watched(({ name }) => asked.push(name));
    const sweeps = startSweeps({ ...context, config: { ...context.config, sweepMs: 5 } });
    await until('some rounds', () => asked.length > 3);
    await sweeps.close();
    expect(new Set(asked)).toEqual(new Set(['find-due-sweeps']));
  });

  it('finds its work itself where that question fails', async () => {
    await settle();
    await WAITING.checks();
    const context = watched(({ name }) => {
      if (name === 'find-due-sweeps') throw new Error('one table cannot be read');
    });
    const sweeps = startSweeps(context);
    const left = () => sql(`SELECT FROM agent_check`);
    await until('the row to be forgotten', async () => (await left()).rowCount === 0);
    await sweeps.close();
    expect(await harness.context.metrics.registry.metrics()).toMatch(/sweep_failures_total [1-9]/);
  });

  it('reads no table from end to end to know', async () => {
    const client = await harness.context.db.pool.connect();
    try {
      await client.query('SET enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN ${findDueSweeps.text}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toMatch(/Seq Scan/);
    } finally {
      await client.query('RESET enable_seqscan');
      client.release();
    }
  });
});
