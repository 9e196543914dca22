import { findViolations } from '../find-violations';
import type { SimulatedCompany } from './simulated-company';

export class Broken extends Error {}

export function expectThat(holds: boolean, promise: string, found: unknown): void {
  if (!holds) throw new Broken(`${promise}: ${JSON.stringify(found)}`);
}

interface SeenRun {
  id: string;
  status: string;
  epoch: number;
  error: string | null;
  finishedAt: string | null;
}

const RUNS = `
  SELECT id, status, epoch, error, finished_at AS "finishedAt" FROM heartbeat_run ORDER BY id`;

const ENDED = ['succeeded', 'failed', 'cancelled', 'timed_out'];

export function createRunWatch(company: SimulatedCompany) {
  let before = new Map<string, SeenRun>();
  return async () => {
    const rows = await company.query<SeenRun>(RUNS);
    for (const run of rows) {
      const earlier = before.get(run.id);
      if (earlier && ENDED.includes(earlier.status)) {
        const same = JSON.stringify(earlier) === JSON.stringify(run);
        expectThat(same, 'a run that ended stays as it is', { earlier, run });
      }
      expectThat(run.epoch >= (earlier?.epoch ?? 0), 'epochs only rise', { earlier, run });
      const [, number] = /^given (\d+)$/.exec(run.error ?? '') ?? [];
      if (number === undefined) continue;
      const given = company.given[Number(number)]?.run;
      const isOwn = given?.runId === run.id && given.epoch === run.epoch;
      expectThat(isOwn, 'only the latest holder ends a run', { run, epoch: given?.epoch });
    }
    for (const { number, run: claimed } of company.claims.filter(({ isEnded }) => isEnded)) {
      const run = rows.find(({ id }) => id === claimed.id);
      expectThat(run?.epoch === claimed.epoch, 'only the latest claim ends a run', { number, run });
    }
    before = new Map(rows.map((run) => [run.id, run]));
  };
}

const TABLES = [
  'activity',
  'agent_wakeup',
  'approval',
  'issue_comment',
  'cost_event',
  'delivery',
  'heartbeat_run',
  'issue',
  'reservation',
  'routine_run',
];

const DIGEST = `SELECT ${TABLES.map(
  (table) => `(SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM ${table} t) AS ${table}`,
).join(', ')}`;

export async function digest({ query }: SimulatedCompany): Promise<string> {
  return JSON.stringify(await query(DIGEST));
}

export async function checkInvariants({ harness }: SimulatedCompany): Promise<void> {
  const violations = await findViolations(harness.context.db.pool);
  expectThat(Object.keys(violations).length === 0, 'the invariants hold', violations);
}

const DELIVERED = `SELECT webhook_id AS id FROM delivery WHERE status = 'delivered'`;

export async function checkDeliveries({ query, accepted }: SimulatedCompany): Promise<void> {
  for (const { id } of await query<{ id: string }>(DELIVERED)) {
    expectThat(accepted.has(id), 'a delivered callback was accepted by its receiver', { id });
  }
}

const DAY_MS = 86_400_000;

interface Waiting {
  id: string;
  readyAt: string;
}

const WAITING = `
  SELECT r.id, greatest(r.created_at, r.not_before) AS "readyAt"
  FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
  WHERE r.status = 'queued' AND coalesce(r.not_before, '-infinity') <= now()
    AND a.adapter_type = 'process' AND a.status IN ('idle', 'running', 'error')
    AND (SELECT count(*) FROM heartbeat_run o WHERE o.agent_id = a.id AND o.status = 'running')
      < a.max_concurrent_runs`;

/** Compares the runs that `take` started with those that waited longer and could have started. */
export async function checkAgeing(
  company: SimulatedCompany,
  take: () => Promise<unknown>,
): Promise<void> {
  const waiting = await company.query<Waiting>(WAITING);
  const first = company.given.length;
  await take();
  const taken = company.given.slice(first).map(({ run }) => run.runId);
  const left = await company.query<Waiting>(WAITING);
  for (const later of waiting.filter(({ id }) => taken.includes(id))) {
    const earlier = left.filter(
      ({ id, readyAt }) =>
        waiting.some((one) => one.id === id) &&
        Date.parse(readyAt) + DAY_MS < Date.parse(later.readyAt),
    );
    expectThat(earlier.length === 0, 'priority delays a run by at most a day', { later, earlier });
  }
}

interface Wake {
  runId: string;
  epoch: number;
}

const OF_INVOCATION = `
  SELECT id AS "runId", epoch FROM heartbeat_run
  WHERE wake_reasons @> jsonb_build_array(jsonb_build_object('payload', jsonb_build_object('number', $1::int)))`;

const OF_COMMENT = `
  SELECT w.status, r.id AS "runId", r.epoch
  FROM agent_wakeup w LEFT JOIN heartbeat_run r ON r.id = w.run_id WHERE w.comment_id = $1`;

/** Each accepted wake was handed out with a run that started later, or its run never started. */
export async function checkWakes({ query, wakes, given, claims }: SimulatedCompany): Promise<void> {
  const delivered = (runId: string, fits: (wake: Record<string, unknown>) => boolean) =>
    given.some(({ run }) => run.runId === runId && run.spec.wakes.some(fits)) ||
    claims.some(({ run }) => run.id === runId && run.wakeReasons.some(fits));
  for (const number of wakes.invocations) {
    const serving = await query<Wake>(OF_INVOCATION, number);
    expectThat(serving.length > 0, 'an accepted invocation has a run', { number });
    for (const { runId, epoch } of serving) {
      const isServed = delivered(
        runId,
        ({ payload }) => (payload as { number?: number } | null)?.number === number,
      );
      expectThat(isServed || epoch === 0, 'a run receives its wakes', { number, runId });
    }
  }
  for (const id of wakes.comments) {
    const found = await query<Wake & { status: string }>(OF_COMMENT, id);
    expectThat(found.length > 0, 'a mention has a wake', { id });
    for (const { runId, epoch, status } of found) {
      if (status === 'skipped') continue;
      const isServed = delivered(runId, ({ commentId }) => commentId === id);
      expectThat(isServed || epoch === 0, 'a run receives its mentions', { id, runId });
    }
  }
}

/** The feed that was read while requests were under way has each activity. */
export async function checkEvents({ query, companyId, events }: SimulatedCompany): Promise<void> {
  const rows = await query<{ id: string }>(
    'SELECT id FROM activity WHERE company_id = $1',
    companyId,
  );
  const missed = rows.filter(({ id }) => !events.has(id)).length;
  expectThat(missed === 0, 'a reader of the feed misses no event', { missed, of: rows.length });
}
