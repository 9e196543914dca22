import type { Database } from '@switchyard/db';
import type { ChangedRow, ListedRunView } from '@switchyard/types';
import { frameOf } from '../events/event-writer';
import { formatPosition, type Position } from '../events/position';
import { readLiveRunRows } from '../runs/listed-run';
import { readRows } from './read-rows';
import { collect, keyOf, type RowName } from './touched';

/**
 * Reports changes that record no activity, e.g. a run's log and spend, together with the run's
 * agent, company and issue.
 */
export interface LiveRuns {
  look(readTo: Position): Promise<number>;
  supersede(rows: ChangedRow[], readTo: Position): void;
  after(at: number): { frames: string[]; at: number } | null;
  hasForgotten(at: number): boolean;
}

const MOST_RUNS = 500;
const TICK_MS = 1_000;
/**
 * Minimum pause between calls of `look` in ms. A pause also lasts at least `GAP_FACTOR` times as
 * long as the previous call.
 */
const LEAST_GAP_MS = 40;
const GAP_FACTOR = 5;
const REMEMBERED = 2_000;

export function followLiveRuns(db: Database, companyId: string, onChange: () => void): LiveRuns {
  const seen = new Map<string, ListedRunView>();
  const frames = new Map<string, { at: number; frame: string }>();
  let isPrimed = false;
  let last = 1;
  let forgotten = 0;
  let notBefore = 0;

  const put = (row: ChangedRow, version: string) => {
    const key = keyOf(row);
    frames.delete(key);
    frames.set(key, { at: ++last, frame: changeOf(row, version) });
    const [oldest] = frames;
    if (frames.size <= REMEMBERED || !oldest) return;
    frames.delete(oldest[0]);
    forgotten = oldest[1].at;
  };

  const tell = async (runs: ListedRunView[], version: string) => {
    const live = new Set(runs.map(({ id }) => id));
    const gone = [...seen.keys()].filter((id) => !live.has(id));
    const ended = await readRows(db, companyId, collect(gone.map(runName)));
    const changed = runs.filter((run) => !isSame(run, seen.get(run.id)));
    const moved = [
      ...changed.filter((run) => !isSame(withoutLog(run), withoutLog(seen.get(run.id)))),
      ...ended.flatMap(({ row }) => (row as ListedRunView | null) ?? []),
    ];
    const about = await readRows(db, companyId, collect(moved.flatMap(namesAround)));
    for (const run of changed) put({ ...runName(run.id), row: run } as ChangedRow, version);
    for (const row of [...ended, ...about]) put(row, version);
    for (const id of gone) seen.delete(id);
    for (const run of changed) seen.set(run.id, run);
    return changed.length + gone.length > 0;
  };

  return {
    look: async (readTo) => {
      const began = performance.now();
      if (began < notBefore) return notBefore - began;
      const runs = await readLiveRunRows(db, companyId, MOST_RUNS);
      const isNews = await tell(runs, formatPosition(readTo));
      const now = performance.now();
      notBefore = now + Math.max(LEAST_GAP_MS, GAP_FACTOR * (now - began));
      if (isNews || !isPrimed) {
        isPrimed = true;
        onChange();
      }
      return runs.some(({ status }) => status === 'running') ? TICK_MS : Number.POSITIVE_INFINITY;
    },

    supersede: (rows, readTo) => {
      for (const row of rows) {
        const older = frames.get(keyOf(row));
        if (older) older.frame = changeOf(row, formatPosition(readTo));
      }
    },

    after: (at) => {
      if (!isPrimed) return null;
      const live = new Set([...seen.values()].flatMap(namesWith).map(keyOf));
      const fits = at === 0 ? (key: string) => live.has(key) : () => true;
      const newer = [...frames].filter(([key, one]) => one.at > at && fits(key));
      return { frames: newer.map(([, { frame }]) => frame), at: last };
    },

    hasForgotten: (at) => at > 0 && at < forgotten,
  };
}

const runName = (entityId: string): RowName => ({ entityType: 'heartbeat_run', entityId });

const namesWith = (run: ListedRunView) => [runName(run.id), ...namesAround(run)];

const changeOf = (row: ChangedRow, version: string) =>
  frameOf('change', { version, activity: null, rows: [row] });

function namesAround({ companyId, agentId, issueId }: ListedRunView): RowName[] {
  const around: RowName[] = [
    { entityType: 'agent', entityId: agentId },
    { entityType: 'company', entityId: companyId },
  ];
  return issueId ? [...around, { entityType: 'issue', entityId: issueId }] : around;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function withoutLog(run: ListedRunView | undefined) {
  return run && { ...run, logBytes: null, lastLogLine: null };
}
