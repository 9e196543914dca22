import { ask, statement } from '@switchyard/db';
import { ApiError } from '@switchyard/server';
import type { Call } from '../../../kernel/call';
import { decodeCursor, encodeCursor } from '../../../lists/page';
import { chooseRuns, countRuns, type RunFilter } from '../narrowed-runs';

interface Wanted {
  runIds?: string[] | undefined;
  dryRun: boolean;
  limit: number;
  cursor?: string | undefined;
}

export interface Refusal {
  code: string;
  message: string;
}

interface Batch<Done> {
  done: Done[];
  refused: (Refusal & { runId: string })[];
  count: number | null;
  nextCursor: string | null;
}

/**
 * Uses one transaction per run, so that a failure does not undo earlier changes. Returns the runs
 * that it did not change, with the reason.
 */
export async function changeRuns<Done>(
  call: Call,
  { runIds, dryRun, limit, cursor }: Wanted,
  filter: RunFilter,
  change: (runId: string) => Promise<{ done: Done } | { refusal: Refusal }>,
): Promise<Batch<Done>> {
  const place = decodeCursor(cursor, ['time', 'id']);
  if (dryRun) {
    const count = runIds ? (await ownOf(call, runIds)).length : await countRuns(call, filter);
    return { done: [], refused: [], count, nextCursor: null };
  }
  const chosen = runIds ? [] : await chooseRuns(call, filter, { cursor: place, take: limit + 1 });
  const batch = runIds?.map((id) => id.toLowerCase()) ?? chosen.slice(0, limit).map(({ id }) => id);
  const own = new Set(runIds ? await ownOf(call, runIds) : batch);
  const changeOne = (runId: string) =>
    change(runId).catch((error: unknown) => ({ refusal: refusalOf(error) }));
  const done: Done[] = [];
  const refused: Batch<Done>['refused'] = [];
  for (const runId of new Set(batch)) {
    const outcome = own.has(runId) ? await changeOne(runId) : { refusal: UNKNOWN };
    if ('done' in outcome) done.push(outcome.done);
    else refused.push({ runId, ...outcome.refusal });
  }
  const last = chosen.length > limit ? chosen[limit - 1] : undefined;
  const nextCursor = last ? encodeCursor([last.createdAt, last.id]) : null;
  return { done, refused, count: null, nextCursor };
}

async function ownOf({ db, companyId }: Call, ids: string[]): Promise<string[]> {
  return (await ask(db, findOwn, { companyId, ids })).map(({ id }) => id);
}

const findOwn = statement('find-own-runs', {
  takes: { companyId: 'uuid', ids: 'uuid[]' },
  gives: { id: 'uuid' },
  sql: ({ companyId, ids }) =>
    `SELECT id FROM heartbeat_run WHERE company_id = ${companyId} AND id = ANY (${ids})`,
});

const UNKNOWN: Refusal = { code: 'not_found', message: 'heartbeat run not found' };

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError) || !REFUSALS.has(error.code)) throw error;
  return { code: error.code, message: error.message };
}

const REFUSALS: ReadonlySet<string> = new Set([
  'conflict',
  'not_found',
  'not_invokable',
  'not_retryable',
]);
