import { ISSUE_PRIORITIES, type IssueSort } from '@switchyard/types';
import type { Cursor, CursorKind } from '../../../lists/page';
import type { IssueSummaryRow } from '../../../state/issues/issue-columns';
import { selectListedIssue } from '../listed-issue-facts';

interface Order {
  by: readonly string[];
  adds?: { name: string; sql: string };
  direction: 'ASC' | 'DESC';
  kinds: readonly CursorKind[];
  start: Cursor;
  valuesOf(row: IssueSummaryRow): Cursor;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const DUE = "coalesce(i.due_date, 'infinity'::date)";

export const ORDERS: Record<IssueSort, Order> = {
  priority: {
    by: ['i.priority_rank', 'i.created_at', 'i.id'],
    direction: 'ASC',
    kinds: ['int', 'time', 'id'],
    start: [-1, '-infinity', NIL],
    valuesOf: (row) => [rankOf(row), row.createdAt, row.id],
  },
  updated: {
    by: ['i.updated_at', 'i.id'],
    direction: 'DESC',
    kinds: ['time', 'id'],
    start: ['infinity', LAST],
    valuesOf: (row) => [row.updatedAt, row.id],
  },
  created: {
    by: ['i.created_at', 'i.id'],
    direction: 'DESC',
    kinds: ['time', 'id'],
    start: ['infinity', LAST],
    valuesOf: (row) => [row.createdAt, row.id],
  },
  due: {
    by: [DUE, 'i.priority_rank', 'i.created_at', 'i.id'],
    adds: { name: 'due', sql: DUE },
    direction: 'ASC',
    kinds: ['day', 'int', 'time', 'id'],
    start: ['-infinity', -1, '-infinity', NIL],
    valuesOf: (row) => [row.dueDate ?? 'infinity', rankOf(row), row.createdAt, row.id],
  },
};

const rankOf = ({ priority }: IssueSummaryRow) =>
  (ISSUE_PRIORITIES as readonly string[]).indexOf(priority);

const TYPES = {
  int: 'int',
  bigint: 'bigint',
  time: 'time',
  id: 'uuid',
  day: 'date',
  mark: 'text',
} as const;
const NAMES = ['after1', 'after2', 'after3', 'after4'] as const;

export type StartTakes = { after1: 'text'; after2: 'text'; after3: 'text'; after4: 'text' };

export function startTakes(sort: IssueSort): StartTakes {
  const { kinds } = ORDERS[sort];
  return Object.fromEntries(kinds.map((kind, at) => [NAMES[at], TYPES[kind]])) as StartTakes;
}

export function startOf(sort: IssueSort, cursor: Cursor | null) {
  const values = cursor ?? ORDERS[sort].start;
  return Object.fromEntries(values.map((value, at) => [NAMES[at], value])) as {
    [Name in keyof StartTakes]: string;
  };
}

/** Uses a row comparison, because only then can PostgreSQL start in the middle of an index. */
export function isBehind(
  sort: IssueSort,
  p: Readonly<Record<string, string>>,
  bound: (parameter: string) => string = String,
): string {
  const { by, direction } = ORDERS[sort];
  const start = by.map((_, at) => bound(p[NAMES[at] as string] as string));
  return `(${by.join(', ')}) ${direction === 'ASC' ? '>' : '<'} (${start.join(', ')})`;
}

export function mergedPage(sort: IssueSort, wheres: readonly string[], take: string): string {
  const merged = mergedOrder(sort);
  return `SELECT ${selectListedIssue('i')} FROM (
      SELECT i.* FROM (${partsOf(sort, wheres, take)}) i ORDER BY ${merged} LIMIT ${take}
    ) i ORDER BY ${merged}`;
}

export function columnPages(
  sort: IssueSort,
  statuses: string,
  where: string,
  take: string,
): string {
  return `SELECT ${selectListedIssue('i')} FROM ${eachStatus(sort, statuses, where, take)}
    ORDER BY ${mergedOrder(sort)}`;
}

export function pageOfStatuses(
  sort: IssueSort,
  statuses: string,
  where: string,
  take: string,
): string {
  return `SELECT ${selectListedIssue('i')} FROM (
      SELECT i.* FROM ${eachStatus(sort, statuses, where, take)} ORDER BY ${mergedOrder(sort)} LIMIT ${take}
    ) i ORDER BY ${mergedOrder(sort)}`;
}

const eachStatus = (sort: IssueSort, statuses: string, where: string, take: string) =>
  `unnest(${statuses}) AS asked(status) CROSS JOIN LATERAL ${partsOf(sort, [where], take)} i`;

function mergedOrder(sort: IssueSort): string {
  const { adds } = ORDERS[sort];
  return orderOf(sort, adds ? `i.${adds.name}` : undefined);
}

function partsOf(sort: IssueSort, wheres: readonly string[], take: string): string {
  const { adds } = ORDERS[sort];
  const parts = wheres.map(
    (where) => `(SELECT i.*${adds ? `, ${adds.sql} AS ${adds.name}` : ''} FROM issue i
      WHERE ${where} ORDER BY ${orderOf(sort)} LIMIT ${take})`,
  );
  return parts.join(' UNION ALL ');
}

function orderOf(sort: IssueSort, added?: string): string {
  const { by, direction, adds } = ORDERS[sort];
  return by
    .map((column) => `${added && column === adds?.sql ? added : column} ${direction}`)
    .join(', ');
}
