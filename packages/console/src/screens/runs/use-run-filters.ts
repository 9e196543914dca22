import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schemas } from '../../data/api';

type RunStatus = Schemas['ListedRun']['status'];
type RunSource = Schemas['ListedRun']['source'];

export const RUN_STATUSES: readonly RunStatus[] = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
];
export const RUN_SOURCES: readonly RunSource[] = [
  'manual',
  'mention',
  'routine',
  'approval',
  'assignment',
  'retry',
];
const HOUR_MS = 3_600_000;
export const SPANS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
} as const;
export type Span = keyof typeof SPANS;

export interface RunFilters {
  status: readonly RunStatus[];
  source: readonly RunSource[];
  agentId: string | undefined;
  errorCode: string | undefined;
  since: Span | undefined;
  createdAfter: string | undefined;
}

export function useRunFilters() {
  const search = useSearch({ from: '/$company' });
  const navigate = useNavigate();
  const set = (changes: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: { ...search, ...changes }, replace: true });
  const { status, source, agent, error, since } = search;
  const filters = useMemo(
    // Computes the time only when the filter changes, so that the query key stays the same.
    () => readFilters({ status, source, agent, error, since }, Date.now()),
    [status, source, agent, error, since],
  );
  const toggle = <Value extends string>(name: string, all: readonly Value[], each: Value) =>
    set({
      [name]:
        (all.includes(each) ? all.filter((other) => other !== each) : [...all, each]).join(',') ||
        undefined,
    });
  return {
    filters,
    isFiltered: ['status', 'source', 'agent', 'error', 'since'].some((name) => search[name]),
    toggleStatus: (each: RunStatus) => toggle('status', filters.status, each),
    toggleSource: (each: RunSource) => toggle('source', filters.source, each),
    set: (name: 'agent' | 'error' | 'since', value: string | null) =>
      set({ [name]: value ?? undefined }),
    clear: () => void navigate({ to: '.', search: {}, replace: true }),
  };
}

type Search = Readonly<Partial<Record<'status' | 'source' | 'agent' | 'error' | 'since', string>>>;

export function readFilters(
  { status, source, agent, error, since }: Search,
  now: number,
): RunFilters {
  const span = since !== undefined && since in SPANS ? (since as Span) : undefined;
  return {
    status: listOf<RunStatus>(status),
    source: listOf<RunSource>(source),
    agentId: agent,
    errorCode: error,
    since: span,
    createdAfter: span ? new Date(now - SPANS[span]).toISOString() : since || undefined,
  };
}

const listOf = <Value extends string>(text: string | undefined): Value[] =>
  (text?.split(',').filter((each) => each !== '') ?? []) as Value[];

export function queryOf({ status, source, agentId, errorCode, createdAfter }: RunFilters) {
  return {
    ...(status.length > 0 && { status: [...status] }),
    ...(source.length > 0 && { source: [...source] }),
    ...(agentId && { agentId }),
    ...(errorCode && { errorCode: [errorCode] }),
    ...(createdAfter && { createdAfter }),
  };
}
