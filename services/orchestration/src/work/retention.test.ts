import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import { openChangeClient } from '../../test/change-client';
import { openEventClient } from '../../test/event-client';
import { everything } from '../../test/everything';
import { useHarness } from '../../test/harness';
import { untilPast } from '../../test/until-past';
import { buildSide, type Side } from '../../test/world';
import { runFolder } from '../config';
import { pruneRunLogs } from '../state/runs/run-log';
import { prune } from './retention';

function idOf(daysAgo: number): string {
  const time = Math.round(Date.now() - daysAgo * 86_400_000)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
}

const DAYS = { runDays: 30, wakeupDays: 20, activityDays: 10 };

describe('retention', () => {
  const harness = useHarness();
  const query = (sql: string, values: unknown[] = []) => harness.context.db.pool.query(sql, values);
  const settings = (retention: Partial<typeof DAYS>) => ({
    ...harness.context,
    config: { ...harness.config, retention: { ...DAYS, ...retention } },
  });
  const nothing = { runDays: 0, wakeupDays: 0, activityDays: 0 };
  let side: Side;

  beforeAll(async () => {
    side = await buildSide(harness);
  });

  async function oldRun(made: number, ended: number | null, chunks: number): Promise<string> {
    const { companyId, agentId } = side.ids;
    const id = idOf(made);
    await query(
      `INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, log_bytes, finished_at,
         lease_expires_at, started_at)
       VALUES ($1, $2, $3, CASE WHEN $4::float8 IS NULL THEN 'running' ELSE 'succeeded' END, 'manual', $5,
         now() - $4::float8 * interval '1 day', now() + interval '1 day', now() - interval '1 day')`,
      [id, companyId, agentId, ended, chunks * 10],
    );
    await query(
      `INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
       SELECT $1, $2, n * 10, '0123456789' FROM generate_series(0, $3 - 1) n`,
      [companyId, id, chunks],
    );
    return id;
  }

  const logOf = async (runId: string) => {
    const { rows } = await query(
      `SELECT log_bytes, (SELECT count(*)::int FROM run_log_chunk WHERE run_id = r.id) AS chunks
       FROM heartbeat_run r WHERE id = $1`,
      [runId],
    );
    return rows[0] as { log_bytes: number; chunks: number };
  };

  it('deletes only sessions that have ended', async () => {
    const userId = newId();
    const person = { email: `${userId}@example.com`, name: 'Ada', passwordHash: '-' };
    await harness.db.person.create({ data: { id: userId, ...person } });
    const session = async (leftSec: number) => {
      const id = newId();
      const expiresAt = new Date(Date.now() + leftSec * 1_000);
      await harness.db.session.create({ data: { id, userId, hash: Buffer.from(id), expiresAt } });
      return id;
    };
    const [live] = [await session(60), await session(-1), await session(-60), await session(-90)];
    expect(await prune(settings(nothing), 2)).toBe(3);
    const left = await harness.db.session.findMany({ where: { userId } });
    expect(left.map(({ id }) => id)).toEqual([live]);
    expect(await prune(settings(nothing))).toBe(0);
  });

  it('deletes the logs of runs that ended long ago, but never the log of a live run', async () => {
    const old = await oldRun(40, 31, 7);
    const young = await oldRun(40, 29, 3);
    const live = await oldRun(40, null, 3);
    const older = await oldRun(50, 45, 4);
    const context = settings({ wakeupDays: 0, activityDays: 0 });
    expect(await pruneRunLogs(context, 30, 6)).toBe(6);
    expect([await logOf(older), await logOf(old)]).toEqual([
      { log_bytes: 0, chunks: 0 },
      { log_bytes: 50, chunks: 5 },
    ]);
    const { body: partly } = await harness.api.get(`/api/heartbeat-runs/${old}/log`).expect(200);
    expect(partly).toMatchObject({ content: '0123456789'.repeat(5), eof: true });
    expect(await prune(context, 2)).toBe(5);
    expect(await logOf(old)).toEqual({ log_bytes: 0, chunks: 0 });
    expect([await logOf(young), await logOf(live)]).toEqual([
      { log_bytes: 30, chunks: 3 },
      { log_bytes: 30, chunks: 3 },
    ]);
    const { body } = await harness.api.get(`/api/heartbeat-runs/${old}/log?offset=20`).expect(200);
    expect(body).toMatchObject({ content: '', eof: true });
    expect(await prune(context, 2)).toBe(0);
  });

  it('deletes the folders of runs that ended long ago, and no other folder', async () => {
    const old = await oldRun(40, 31, 0);
    const young = await oldRun(40, 29, 0);
    const names = [old, young, idOf(400), 'not-a-run'];
    for (const name of names) {
      await mkdir(join(runFolder(harness.config, name), 'deep'), { recursive: true });
    }
    await prune(settings({ wakeupDays: 0, activityDays: 0 }));
    const left = await readdir(join(harness.config.dataDir, 'runs'));
    expect(left.sort()).toEqual(names.slice(1).sort());
  });

  it('deletes decided wakes, but not pending wakes or the wakes of a routine or a live run', async () => {
    const { companyId, agentId, routineRunId } = side.ids;
    const ended = await oldRun(50, 45, 0);
    const live = await oldRun(50, null, 0);
    const wake = async (daysAgo: number, fields: Record<string, unknown>) => {
      const row = { id: newId(), companyId, agentId, source: 'mention', status: 'admitted' };
      const createdAt = new Date(Date.now() - daysAgo * 86_400_000);
      const made = await harness.db.agentWakeup.create({ data: { ...row, createdAt, ...fields } });
      return made.id;
    };
    const gone = [
      await wake(21, { runId: ended }),
      await wake(30, { status: 'skipped' }),
      await wake(25, {}),
    ];
    const kept = [
      await wake(19, { runId: ended }),
      await wake(300, { status: 'pending' }),
      await wake(300, { runId: live }),
      await wake(300, { runId: ended, routineRunId }),
    ];
    expect(await prune(settings({ runDays: 0, activityDays: 0 }), 2)).toBe(3);
    const ids = [...gone, ...kept];
    const left = await harness.db.agentWakeup.findMany({ where: { id: { in: ids } } });
    expect(left.map((row) => row.id).sort()).toEqual(kept.sort());
  });

  it('deletes no activity if the retention is 0 days, which is the default', async () => {
    expect(harness.config.retention).toEqual({ runDays: 90, wakeupDays: 90, activityDays: 0 });
    await query("UPDATE activity SET created_at = created_at - interval '5000 days'");
    const before = await everything(harness);
    expect(await prune(settings(nothing), 2)).toBe(0);
    expect(await everything(harness)).toEqual(before);
    await query("UPDATE activity SET created_at = created_at + interval '5000 days'");
  });

  it('deletes old activity of all companies in batches, concurrently with other workers and writers', async () => {
    const other = await harness.build.company();
    await query(
      `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id, created_at)
       SELECT gen_random_uuid(), id, 'system', 'test.' || age, 'test', 'test', now() - age * interval '1 day'
       FROM company, unnest(ARRAY[9, 11, 12, 400]) age, generate_series(1, 10) WHERE id = ANY ($1)
       ORDER BY age DESC`,
      [[side.ids.companyId, other.id]],
    );
    const context = settings({ runDays: 0, wakeupDays: 0 });
    const writer = await harness.context.db.pool.connect();
    await writer.query('BEGIN');
    await writer.query("SELECT 1 FROM activity WHERE action = 'test.12' LIMIT 1 FOR UPDATE");
    const rounds = await Promise.all([prune(context, 7), prune(context, 7), prune(context, 7)]);
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(59);
    await writer.query('ROLLBACK');
    writer.release();
    expect(await prune(context, 7)).toBe(1);
    const { rows } = await query(
      "SELECT action, count(*)::int AS count FROM activity WHERE action LIKE 'test.%' GROUP BY 1",
    );
    expect(rows).toEqual([{ action: 'test.9', count: 20 }]);
  });

  it('keeps the newest activity of a company, so clients can resume an idle event stream', async () => {
    const { id } = await harness.build.company();
    await harness.build.goal({ companyId: id });
    await query(
      "UPDATE activity SET created_at = now() - interval '11 days' WHERE company_id = $1",
      [id],
    );
    expect(await prune(settings({ runDays: 0, wakeupDays: 0 }))).toBe(1);
    const { rows } = await query('SELECT action FROM activity WHERE company_id = $1', [id]);
    expect(rows).toEqual([{ action: 'goal.created' }]);
    await untilPast(harness, id);
    const { headers } = await harness.api.get('/api/companies').expect(200);
    const after = `?after=${headers['x-event-position']}`;
    const client = await openChangeClient(harness.url, id, { query: after });
    await client.live();
    client.close();
    expect(client.resets()).toEqual([]);
  });

  it('lets a stream resume unless the next events of that stream were deleted', async () => {
    const { id } = await harness.build.company();
    await harness.build.goal({ companyId: id });
    await harness.build.goal({ companyId: id });
    const events = async () =>
      (
        await query(
          `SELECT transaction_id || '-' || sequence AS id, transaction_id || '-0' AS begin
           FROM activity WHERE company_id = $1 ORDER BY transaction_id, sequence`,
          [id],
        )
      ).rows as { id: string; begin: string }[];
    const [first, second, third] = await events();
    const resume = async (lastId: string | undefined) => {
      const stream = await openEventClient(harness.url, id, { 'Last-Event-ID': String(lastId) });
      stream.close();
    };
    await resume(first?.begin);
    await query(
      "UPDATE activity SET created_at = now() - interval '11 days' WHERE company_id = $1 AND action = 'company.created'",
      [id],
    );
    expect(await prune(settings({ runDays: 0, wakeupDays: 0 }))).toBe(1);
    await resume(second?.id);
    await resume(third?.begin);
    const refusals = [first?.id, first?.begin];
    for (const lastId of refusals) {
      const { status, body } = await harness.api
        .get(`/api/companies/${id}/events`)
        .set('Last-Event-ID', String(lastId));
      expect([status, JSON.stringify(body)]).toEqual([
        400,
        expect.stringContaining('is older than the oldest stored event'),
      ]);
    }
  });
});
