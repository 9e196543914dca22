import { askAfresh, type FromColumns, select, statement } from '@switchyard/db';
import type { ListRunsQuery } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { type Cursor, newestStart } from '../../lists/page';
import { RUN } from '../../state/runs/runs';
import { LISTED_RUN, selectListedRun } from './listed-run';

export type RunFilter = Partial<
  Pick<
    ListRunsQuery,
    | 'agentId'
    | 'issueId'
    | 'status'
    | 'source'
    | 'errorCode'
    | 'createdAfter'
    | 'createdBefore'
    | 'retried'
    | 'wakeupId'
  >
>;

export function isNarrowed(filter: RunFilter): boolean {
  const { source, errorCode, createdAfter, createdBefore, retried, wakeupId } = filter;
  const given = [source, errorCode, createdAfter, createdBefore, retried, wakeupId];
  return given.some((one) => one !== undefined);
}

interface Place {
  cursor: Cursor | null;
  take: number;
}

export function readNarrowed(
  call: Call,
  filter: RunFilter,
  place: Place,
): Promise<FromColumns<typeof LISTED_RUN>[]> {
  return askAfresh(call.db, listNarrowed, valuesOf(call, filter, place));
}

export function chooseRuns(call: Call, filter: RunFilter, place: Place) {
  return askAfresh(call.db, chooseNarrowed, valuesOf(call, filter, place));
}

export async function countRuns(call: Call, filter: RunFilter): Promise<number> {
  const { time: _, id: __, take: ___, ...values } = valuesOf(call, filter, EVERYWHERE);
  const [counted] = await askAfresh(call.db, countNarrowed, values);
  return counted?.count ?? 0;
}

const EVERYWHERE = { cursor: null, take: 0 };

function valuesOf({ companyId }: Call, filter: RunFilter, { cursor, take }: Place) {
  const { beforeTime, beforeId } = newestStart({});
  return {
    companyId,
    agentId: filter.agentId ?? null,
    issueId: filter.issueId ?? null,
    statuses: filter.status ?? null,
    sources: filter.source ?? null,
    errorCodes: filter.errorCode ?? null,
    createdAfter: filter.createdAfter ? new Date(filter.createdAfter) : null,
    createdBefore: filter.createdBefore ? new Date(filter.createdBefore) : null,
    isRetried: filter.retried === undefined ? null : filter.retried === 'true',
    wakeupId: filter.wakeupId ?? null,
    time: (cursor?.[0] as string | undefined) ?? beforeTime,
    id: (cursor?.[1] as string | undefined) ?? beforeId,
    take,
  };
}

const FILTER = {
  companyId: 'uuid',
  agentId: 'uuid?',
  issueId: 'uuid?',
  statuses: 'text[]?',
  sources: 'text[]?',
  errorCodes: 'text[]?',
  createdAfter: 'time?',
  createdBefore: 'time?',
  isRetried: 'bool?',
  wakeupId: 'uuid?',
} as const;

const PLACE = { time: 'time', id: 'uuid', take: 'int' } as const;

type Parameters = Readonly<Record<keyof typeof FILTER, string>>;
type PlaceParameters = Parameters & Readonly<Record<keyof typeof PLACE, string>>;

const fits = (p: Parameters) => `
  r.company_id = ${p.companyId}
    AND (${p.agentId} IS NULL OR r.agent_id = ${p.agentId})
    AND (${p.issueId} IS NULL OR r.issue_id = ${p.issueId})
    AND (${p.statuses} IS NULL OR r.status = ANY (${p.statuses}))
    AND (${p.sources} IS NULL OR r.source = ANY (${p.sources}))
    AND (${p.errorCodes} IS NULL OR r.error_code = ANY (${p.errorCodes}))
    AND (${p.createdAfter} IS NULL OR r.created_at > ${p.createdAfter})
    AND (${p.createdBefore} IS NULL OR r.created_at < ${p.createdBefore})
    AND (${p.isRetried} IS NULL OR (r.retried_by_run_id IS NOT NULL) = ${p.isRetried})
    AND (${p.wakeupId} IS NULL OR r.id = (SELECT w.run_id FROM agent_wakeup w WHERE w.id = ${p.wakeupId}))`;

const newest = (p: PlaceParameters) => `
  ${fits(p)} AND (r.created_at, r.id) < (${p.time}, ${p.id})
  ORDER BY r.created_at DESC, r.id DESC LIMIT ${p.take}`;

const listNarrowed = statement('list-narrowed-runs', {
  takes: { ...FILTER, ...PLACE },
  gives: LISTED_RUN,
  sql: (p) => `
    SELECT ${selectListedRun('r')}
    FROM (SELECT ${select(RUN, 'r')} FROM heartbeat_run r WHERE ${newest(p)}) r
    ORDER BY r."createdAt" DESC, r.id DESC`,
});

const chooseNarrowed = statement('choose-runs', {
  takes: { ...FILTER, ...PLACE },
  gives: { id: 'uuid', createdAt: 'time' },
  sql: (p) => `
    SELECT r.id, r.created_at AS "createdAt" FROM heartbeat_run r WHERE ${newest(p)}`,
});

const countNarrowed = statement('count-runs', {
  takes: FILTER,
  gives: { count: 'int' },
  sql: (p) => `SELECT count(*)::int AS count FROM heartbeat_run r WHERE ${fits(p)}`,
});
