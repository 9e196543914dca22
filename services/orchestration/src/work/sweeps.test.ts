import { type Database, newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import { useHarness } from '../../test/harness';
import { newStorageKey } from '../adapters/file-store/file-store';
import { claimDue } from '../features/routines/schedule/claim-due';
import type { Context } from '../kernel/context';
import { dueSweeps, findDueSweeps, guarded, SWEEPS, startSweeps } from './sweeps';

type Name = keyof typeof SWEEPS;
type Query = Parameters<Database['query']>[0];

describe('a sweep', () => {
  const harness = useHarness();
  const sql = (text: string, values: unknown[] = []) => harness.context.db.pool.query(text, values);
  const runs = (name: Name): Promise<unknown> => SWEEPS[name].work(harness.context);

  const watched = (onQuery: (config: Query) => void): Context => {
    const { db } = harness.context;
    const query = (config: Query) => {
      onQuery(config);
      return db.query(config);
    };
    return { ...harness.context, db: { ...db, query } as Database as Context['db'] };
  };

  const settle = async () => {
    for (let round = 0; round < 20; round++) {
      const due = await dueSweeps(harness.context);
      if (due.length === 0) return;
      for (const name of due) await runs(name);
    }
    throw new Error('something is due for ever');
  };

  const WAITING: Record<string, [Name, () => Promise<unknown>]> = {
    'a run without a worker': [
      'runs',
      async () => {
        await harness.build.queuedRun((await harness.build.agent()).id);
        await sql(`UPDATE heartbeat_run SET hinted_at = now() - interval '3 seconds'`);
      },
    ],
    'a run that was never hinted': [
      'runs',
      async () => {
        await harness.build.queuedRun((await harness.build.agent()).id);
        await sql(`UPDATE heartbeat_run SET hinted_at = NULL WHERE status = 'queued'`);
      },
    ],
    'a run whose worker has died': [
      'runs',
      async () => {
        const { id } = await harness.build.liveRun();
        await sql(
          `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 second' WHERE id = $1`,
          [id],
        );
      },
    ],
    'an unprocessed wake': [
      'wakeups',
      async () => {
        const { id, companyId } = await harness.build.agent();
        await sql(
          `INSERT INTO agent_wakeup (id, company_id, agent_id, source, created_at)
         VALUES ($1, $2, $3, 'manual', now() - interval '3 seconds')`,
          [newId(), companyId, id],
        );
      },
    ],
    'a firing without a worker': [
      'firings',
      async () => {
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
    ],
    'a detached run whose lease has expired': [
      'detachedRuns',
      async () => {
        const { id } = await harness.build.liveRun();
        await sql(
          `UPDATE heartbeat_run SET is_detached = true, hinted_at = now(),
           lease_expires_at = now() - interval '1 second' WHERE id = $1`,
          [id],
        );
      },
    ],
    'an agent that was paused in another month': [
      'budgets',
      async () => {
        const { id } = await harness.build.agent();
        await sql(`UPDATE agent SET status = 'paused', pause_reason = 'budget' WHERE id = $1`, [
          id,
        ]);
      },
    ],
    'a reservation that has expired': [
      'reservations',
      async () => {
        const { id, agent } = await harness.build.liveRun();
        await sql(
          `INSERT INTO reservation (id, company_id, agent_id, run_id, ticket_hash, cents, expires_at)
           VALUES (gen_random_uuid(), $1, $2, $3, 'x', 1, now() - interval '1 second')`,
          [agent.companyId, agent.id, id],
        );
      },
    ],
    'a run that a budget paused': [
      'pausedRuns',
      async () => {
        const { id, agent } = await harness.build.liveRun();
        await sql(
          `INSERT INTO budget_pause (company_id, run_id, cents, checked_at)
           VALUES ($1, $2, 1, now() - interval '1 minute')`,
          [agent.companyId, id],
        );
      },
    ],
    'an unfinished upload': [
      'assets',
      async () => {
        const { id } = await harness.build.company();
        await sql(
          `INSERT INTO asset (id, company_id, storage_key, content_type, byte_size, sha256, expires_at)
         VALUES ($1, $2, $3, '', 0, '', now() - interval '1 second')`,
          [newId(), id, newStorageKey()],
        );
      },
    ],
    'an old idempotency record': [
      'answers',
      () =>
        sql(
          `INSERT INTO idempotency_record (scope, key, request_hash, created_at)
         VALUES ('scope', 'key', '-', now() - interval '25 hours')`,
        ),
    ],
    'an expired signature': [
      'signatures',
      async () => {
        const { id, companyId } = await harness.build.routine();
        const trigger = await harness.build.trigger(id, { kind: 'webhook' });
        await sql(
          `INSERT INTO webhook_signature (company_id, trigger_id, digest, expires_at)
         VALUES ($1, $2, 'digest', now() - interval '1 second')`,
          [companyId, trigger.id],
        );
      },
    ],
    'an abandoned check': [
      'checks',
      async () => {
        const { id, companyId } = await harness.build.agent();
        await sql(
          `INSERT INTO agent_check (id, company_id, agent_id, requested_at)
         VALUES ($1, $2, $3, now() - interval '3 minutes')`,
          [newId(), companyId, id],
        );
      },
    ],
    'a status that is not tallied': [
      'statuses',
      () =>
        sql(
          `INSERT INTO status_change (company_id, counted, day, status, n)
           SELECT id, 'issue', '-infinity', 'todo', 0 FROM company LIMIT 1`,
        ),
    ],
    'an issue of a project that is not tallied': [
      'statuses',
      () =>
        sql(
          `INSERT INTO issue_tally_change (company_id, owner_id, status, n)
           SELECT id, id, 'todo', 0 FROM company LIMIT 1`,
        ),
    ],
  };

  it.each(Object.keys(WAITING))(
    'becomes due because of %s, and is not due after it has run',
    async (what) => {
      const [name, make] = WAITING[what] as (typeof WAITING)[string];
      await settle();
      await make();
      expect(await dueSweeps(harness.context)).toContain(name);
      await settle();
    },
  );

  it('sends only one query per round if no work waits', async () => {
    await settle();
    const asked: (string | undefined)[] = [];
    const context = watched(({ name }) => asked.push(name));
    const sweeps = startSweeps({ ...context, config: { ...context.config, sweepMs: 5 } });
    await until('some rounds', () => asked.length > 3);
    await sweeps.close();
    expect(new Set(asked)).toEqual(new Set(['find-due-sweeps']));
  });

  it('runs for every kind of work if the query for due sweeps fails', async () => {
    await settle();
    await WAITING['an abandoned check']?.[1]();
    const context = watched(({ name }) => {
      if (name === 'find-due-sweeps') throw new Error('one table cannot be read');
    });
    const sweeps = startSweeps(context);
    const left = () => sql(`SELECT FROM agent_check`);
    await until('the row to be forgotten', async () => (await left()).rowCount === 0);
    await sweeps.close();
    expect(await harness.context.metrics.registry.metrics()).toMatch(/sweep_failures_total [1-9]/);
  });

  it('writes only one log line if it fails twice, but counts both failures', async () => {
    const { metrics, logger } = harness.context;
    const lines: object[] = [];
    const warn = (message: string, fields?: object) => void lines.push({ message, ...fields });
    const context = { metrics, logger: { ...logger, warn } };
    const count = async () => (await metrics.sweepFailures.get()).values[0]?.value ?? 0;
    const before = await count();
    const fail = () => guarded(context, 'runs', () => Promise.reject(new Error('away')));
    await fail();
    await fail();
    expect(await count()).toBe(before + 2);
    expect(lines).toMatchObject([{ sweep: 'runs', cause: 'away' }]);
  });

  it('counts as failed and writes a log line if it does not end in time', async () => {
    const lines: object[] = [];
    const error = (message: string, fields?: object) => void lines.push({ message, ...fields });
    const { metrics, logger } = harness.context;
    const count = async () => (await metrics.sweepFailures.get()).values[0]?.value ?? 0;
    const before = await count();
    let end: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => {
      end = resolve;
    });
    const context = { metrics, logger: { ...logger, error } };
    const sweeping = guarded(context, 'runs', () => stuck, 1);
    await until('it to be counted', async () => (await count()) > before);
    expect(lines).toEqual([{ message: 'a sweep has not ended', sweep: 'runs', ms: 1 }]);
    end();
    await sweeping;
    expect(await count()).toBe(before + 1);
  });

  it('reads only waiting rows, however many other rows there are', async () => {
    const { id, companyId } = await harness.build.agent();
    await sql(
      `INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, finished_at, lease_expires_at)
       SELECT gen_random_uuid(), $1, $2, 'succeeded', 'manual', now(), now() - interval '1 hour'
       FROM generate_series(1, 5000)`,
      [companyId, id],
    );
    await sql(
      `INSERT INTO agent_wakeup (id, company_id, agent_id, source, status, created_at)
       SELECT gen_random_uuid(), $1, $2, 'manual', 'skipped', now() - interval '1 hour'
       FROM generate_series(1, 5000)`,
      [companyId, id],
    );
    await sql(
      `INSERT INTO idempotency_record (scope, key, request_hash)
       SELECT 'scope', 'key ' || n, '-' FROM generate_series(1, 5000) n`,
    );
    await settle();
    await harness.asOwner('VACUUM ANALYZE');
    const { rows } = await sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${findDueSweeps.text}`);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(60);
  });
});
