import type { Pool } from '@switchyard/db';
import type { RunSlots } from '../features/runs/claim/run-slots';
import { mayTake } from '../kernel/fair-share';
import { isAtWorkSql } from '../state/agents/may-start';
import { isExternalSql } from '../state/agents/run-transitions';
import { isReadySql } from '../state/runs/claims/claim-order';
import { POD_INSTANCE } from '../state/runs/claims/pod-instance';
import { hasFullKeySql } from '../state/runs/claims/run-limits';
import { PRESENT } from './runner-state';

export interface StartRules {
  runnerTypes: string[];
  maxRunning: number;
  hasPods: boolean;
  slots: Pick<RunSlots, 'full' | 'hasRoom' | 'runIds'> | null;
}

export interface WaitingRuns {
  stalledSeconds: number;
  unplaceable: { no_runner: number; labels: number };
}

export const READY = `
  SELECT r.company_id, greatest(r.created_at, r.not_before, a.updated_at) AS since,
    a.adapter_type = ANY ($1::text[]) AS is_for_runners,
    coalesce(a.adapter_config->'runnerLabels', '[]') AS labels
  FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
    LEFT JOIN busy b ON b.agent_id = r.agent_id
  WHERE r.status = 'queued' AND ${isReadySql('r')}
    AND coalesce(b.runs, 0) < a.max_concurrent_runs AND NOT ${isExternalSql('a')}
    AND ${isAtWorkSql('a', 'c')} AND NOT ${hasFullKeySql('a')}`;

const secondsSince = (time: string) => `extract(epoch FROM clock_timestamp() - ${time})::float8`;

interface Group {
  company: string;
  isForRunners: boolean;
  labels: string[];
  runs: number;
  running: number;
  age: number;
}

const GROUPS = `
  WITH busy AS (
    SELECT agent_id, count(*) AS runs FROM heartbeat_run WHERE status = 'running' GROUP BY agent_id
  ), running AS (
    SELECT company_id, count(*) AS runs FROM heartbeat_run WHERE status = 'running' GROUP BY company_id
  ), ready AS (${READY})
  SELECT w.company_id AS company, w.is_for_runners AS "isForRunners", w.labels,
    count(*)::int AS runs, coalesce(min(o.runs), 0)::int AS running,
    ${secondsSince('min(w.since)')} AS age
  FROM ready w LEFT JOIN running o ON o.company_id = w.company_id
  GROUP BY w.company_id, w.is_for_runners, w.labels`;

interface Place {
  id: string;
  company: string | null;
  labels: string[];
  capacity: number;
  held: Record<string, number>;
  /** Seconds since the runner last started a run that it still holds; null without runs. */
  sinceStart: number | null;
}

const PLACES = `
  SELECT i.id, i.company_id AS company, coalesce(i.labels, '{}') AS labels, i.capacity,
    coalesce(h.held, '{}') AS held, h.since_start AS "sinceStart"
  FROM runner_instance i CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(company_id, runs) AS held, min(since_start) AS since_start FROM (
      SELECT r.company_id, count(*) AS runs, ${secondsSince('max(r.started_at)')} AS since_start
      FROM heartbeat_run r WHERE r.runner_instance = i.id AND r.status = 'running'
      GROUP BY r.company_id
    ) held
  ) h WHERE ${PRESENT}`;

const SINCE_START = `
  SELECT ${secondsSince('max(started_at)')} AS age FROM heartbeat_run
  WHERE id = ANY ($1::uuid[]) AND status = 'running'`;

/**
 * Does not count waits from before the runner last started a run, because a runner that starts runs
 * is not stuck.
 */
export async function readWaitingRuns(pool: Pool, rules: StartRules): Promise<WaitingRuns> {
  const { rows: groups } = await pool.query<Group>({
    name: 'waiting-groups',
    text: GROUPS,
    values: [rules.runnerTypes],
  });
  const ofRunners = groups.filter(({ isForRunners }) => isForRunners);
  const places = ofRunners.length > 0 ? await readPlaces(pool, rules) : [];
  const mayRun = ({ running }: Group) => rules.maxRunning === 0 || running < rules.maxRunning;
  const stalled = [
    ...ofRunners.filter(mayRun).flatMap((group) => stalledAtRunners(group, places)),
    ...(await stalledHere(
      pool,
      rules,
      groups.filter((group) => !group.isForRunners && mayRun(group)),
    )),
  ];
  const unplaceable = { no_runner: 0, labels: 0 };
  for (const group of ofRunners) {
    if (places.some((place) => serves(place, group))) continue;
    unplaceable[group.labels.length === 0 ? 'no_runner' : 'labels'] += group.runs;
  }
  return { stalledSeconds: Math.max(0, ...stalled), unplaceable };
}

async function readPlaces(pool: Pool, { hasPods }: StartRules): Promise<Place[]> {
  const { rows } = await pool.query<Place>({ name: 'places-for-runs', text: PLACES });
  // With run pods, an unlabelled runner of the installation only performs checks (`nextWork`).
  return rows.filter(
    ({ id, company, labels }) =>
      !hasPods || company !== null || labels.length > 0 || id === POD_INSTANCE,
  );
}

function serves(place: Place, { company, labels }: Group): boolean {
  if (place.company !== null && (place.company !== company || labels.length === 0)) return false;
  return labels.every((label) => place.labels.includes(label));
}

function stalledAtRunners(group: Group, places: Place[]): number[] {
  return places
    .filter((place) => {
      if (!serves(place, group)) return false;
      const held = Object.values(place.held).reduce((sum, each) => sum + each, 0);
      return mayTake(place.held[group.company] ?? 0, place.capacity - held, place.capacity);
    })
    .map(({ sinceStart }) => Math.min(group.age, sinceStart ?? group.age));
}

async function stalledHere(pool: Pool, { slots }: StartRules, groups: Group[]): Promise<number[]> {
  if (!slots?.hasRoom()) return [];
  const full = slots.full();
  const ages = groups.filter(({ company }) => !full.includes(company)).map(({ age }) => age);
  if (ages.length === 0) return [];
  const { rows } = await pool.query<{ age: number | null }>({
    name: 'since-last-start',
    text: SINCE_START,
    values: [slots.runIds()],
  });
  const sinceStart = rows[0]?.age ?? Number.POSITIVE_INFINITY;
  return ages.map((age) => Math.min(age, sinceStart));
}
