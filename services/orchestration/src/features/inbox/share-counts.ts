import { ask, statement } from '@switchyard/db';
import type { InboxCounts } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import type { Look } from './caller';

const KEPT_MS = 1_000;
const MANY = 500;

export type KindCounts = ReadonlyMap<string, number>;

interface Kept {
  state: string;
  until: number;
  shared: Promise<KindCounts>;
  ofPersons: Map<string, Promise<InboxCounts>>;
}

const KEPT = new WeakMap<Context, Map<string, Kept>>();

/**
 * Counts the shared items once for everyone with the same view of a company. The counts are cached
 * until an activity is recorded, but for at most a second. The passage of time, ends of runs and
 * costs record no activity, so their effect may appear a second late.
 */
export async function shareCounts(
  { context, db }: Call,
  { companyId, userId, showsInvites }: Look,
  countShared: () => Promise<KindCounts>,
  countOfPerson: (shared: KindCounts) => Promise<InboxCounts>,
): Promise<InboxCounts> {
  const key = `${companyId} ${showsInvites}`;
  const kept = KEPT.get(context) ?? new Map<string, Kept>();
  KEPT.set(context, kept);
  const state = (await ask(db, newestRecords, { companyId }))[0]?.state ?? '';
  const now = performance.now();
  let found = kept.get(key);
  if (!found || found.state !== state || found.until <= now) {
    if (kept.size > MANY) for (const [one, { until }] of kept) if (until <= now) kept.delete(one);
    found = { state, until: now + KEPT_MS, shared: countShared(), ofPersons: new Map() };
    kept.set(key, found);
  }
  const counts = found.ofPersons.get(userId) ?? found.shared.then(countOfPerson);
  found.ofPersons.set(userId, counts);
  counts.catch(() => kept.delete(key));
  return counts;
}

/** Compares several records, because a later commit may have an earlier time. */
const newestRecords = statement('newest-records', {
  takes: { companyId: 'uuid' },
  gives: { state: 'text' },
  sql: ({ companyId }) => `
    SELECT coalesce(string_agg(id::text, ' '), '') AS state FROM (
      SELECT id FROM activity WHERE company_id = ${companyId} ORDER BY created_at DESC, id DESC LIMIT 20
    ) newest`,
});
