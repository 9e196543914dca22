import type { Database } from '@switchyard/db';
import type { ChangedRow, ListedActivityView, ListedRunView } from '@switchyard/types';
import type { FeedPage } from '../events/company-feed';
import { frameOf } from '../events/event-writer';
import { formatPosition, type Position } from '../events/position';
import { readEvents } from '../events/read-events';
import { readRowsWithIssues } from './read-rows';
import { collect, keyOf, touchedBy } from './touched';

export interface ChangeEvent {
  position: Position;
  activity: ListedActivityView;
  rows: ChangedRow[];
  frame: string;
}

/**
 * Reads the rows after the activities, so that the rows are at least as new. A row that several
 * activities concern is sent with the last of them.
 */
export async function readChanges(
  db: Database,
  companyId: string,
  after: Position,
): Promise<FeedPage<ChangeEvent>> {
  const page = await readEvents(db, companyId, after);
  const names = page.events.map(({ activity }) => touchedBy(activity));
  const lastAt = new Map(names.flatMap((all, at) => all.map((name) => [keyOf(name), at])));
  const rows = await readRowsWithIssues(db, companyId, collect(names.flat()));
  const rowsAt = page.events.map((): ChangedRow[] => []);
  for (const row of rows) rowsAt[placeOf(row, rows, lastAt)]?.push(row);
  const events = page.events.map(({ position, activity }, at) => {
    const version = formatPosition(position);
    const shown = rowsAt[at] ?? [];
    const frame = frameOf('change', { version, activity, rows: shown }, version);
    return { position, activity, rows: shown, frame };
  });
  return { ...page, events };
}

/** Returns the index of the activity with which a row is sent. An issue is not sent before its runs. */
function placeOf(row: ChangedRow, all: ChangedRow[], lastAt: Map<string, number>): number {
  const runs = all.filter(
    (one) => one.entityType === 'heartbeat_run' && isAbout(one.row, row.entityId),
  );
  return Math.max(...[row, ...runs].map((one) => lastAt.get(keyOf(one)) ?? -1));
}

const isAbout = (run: ListedRunView | null, issueId: string) => run?.issueId === issueId;
