import { types } from 'pg';
import type { Database } from '../database';
import { snakeCase } from './column-values';
import { type Bound, inOneTrip } from './one-trip';
import {
  type Columns,
  type ColumnType,
  type FromColumns,
  sqlType,
  type ToParameters,
} from './statement-types';

export interface Statement<Takes extends Columns, Gives extends Columns> {
  readonly name: string;
  readonly text: string;
  readonly takes: Takes;
  readonly gives: Gives;
  /**
   * If set, PostgreSQL plans the statement once per connection, for all values. It only has an
   * effect outside a transaction or on the last statement of a trip (`one-trip.ts`). `indexed` also
   * makes the planner use indexes and their order, for tables whose size PostgreSQL cannot
   * estimate.
   */
  readonly onePlan: boolean | 'indexed';
}

export type RowOf<S> = S extends Statement<Columns, infer Gives> ? FromColumns<Gives> : never;
export type ParametersOf<S> =
  S extends Statement<infer Takes, Columns> ? ToParameters<Takes> : never;

const declared = new Map<string, Statement<Columns, Columns>>();

/**
 * Declares a statement. `sql` receives a placeholder for each parameter; `gives` lists the returned
 * columns. A test compares the declaration with the migrated database.
 */
export function statement<const Takes extends Columns, const Gives extends Columns>(
  name: string,
  declaration: {
    takes: Takes;
    gives: Gives;
    onePlan?: boolean | 'indexed';
    sql: (parameters: { readonly [P in keyof Takes]: string }) => string;
  },
): Statement<Takes, Gives> {
  const { takes, gives, onePlan = false, sql } = declaration;
  const placeholders = Object.entries(takes).map(([parameter, type], at) => [
    parameter,
    `$${at + 1}::${sqlType(type)}`,
  ]);
  const made = { name, text: sql(Object.fromEntries(placeholders)), takes, gives, onePlan };
  if (declared.has(name)) throw new Error(`the statement ${name} is declared twice`);
  declared.set(name, made);
  return made;
}

export const declaredStatements = (): readonly Statement<Columns, Columns>[] => [
  ...declared.values(),
];

export function ask<Takes extends Columns, Gives extends Columns>(
  db: Database,
  asked: Statement<Takes, Gives>,
  values: NoInfer<ToParameters<Takes>>,
): Promise<FromColumns<Gives>[]> {
  const bound = bind(asked, values);
  const sent = asked.onePlan && !db.transaction ? inOneTrip(db, [bound]) : db.query(bound);
  return sent as Promise<FromColumns<Gives>[]>;
}

/**
 * Plans the statement for these values, because one plan for all values is slow if filters are
 * optional.
 */
export async function askAfresh<Takes extends Columns, Gives extends Columns>(
  db: Database,
  asked: Statement<Takes, Gives>,
  values: NoInfer<ToParameters<Takes>>,
): Promise<FromColumns<Gives>[]> {
  const { name: _, ...unnamed } = bind(asked, values);
  return (await db.query(unnamed)) as FromColumns<Gives>[];
}

/**
 * Runs the locking statements in `before`, then `asked`, in one round trip and one transaction.
 * Each lock is a separate statement, so that the last statement sees what was committed while the
 * locks waited.
 */
export async function trip<Takes extends Columns, Gives extends Columns>(
  db: Database,
  before: readonly Bound[],
  asked: Statement<Takes, Gives>,
  values: NoInfer<ToParameters<Takes>>,
): Promise<FromColumns<Gives>[]> {
  return (await inOneTrip(db, [...before, bind(asked, values)])) as FromColumns<Gives>[];
}

export function bind<Takes extends Columns>(
  { name, text, takes, onePlan }: Statement<Takes, Columns>,
  values: NoInfer<ToParameters<Takes>>,
): Bound {
  const given = values as Record<string, unknown>;
  const parameters = Object.keys(takes).map((parameter) => {
    const value = given[parameter];
    return takes[parameter]?.startsWith('json') && value != null ? JSON.stringify(value) : value;
  });
  return { name, text, values: parameters, types: textsAsValues, onePlan };
}

export interface Rows {
  readonly from: string;
  readonly where: string;
  readonly order: string;
}

/**
 * Returns SQL that is true if there are any rows. The order forces the index: for EXISTS the
 * planner may scan a whole table if it expects many matches.
 */
export const anySql = ({ from, where, order }: Rows): string =>
  `(SELECT true FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT 1) IS NOT NULL`;

export function select(columns: Columns, from: string): string {
  return Object.keys(columns)
    .map((column) => `${from}.${snakeCase(column)} AS "${column}"`)
    .join(', ');
}

export function jsonObject(
  columns: Columns,
  from: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const own = Object.entries(columns).map(([column, type]) => {
    const value = `${from}.${snakeCase(column)}`;
    return `'${column}', ${type.startsWith('time') ? isoText(value) : value}`;
  });
  const added = Object.entries(more).map(([name, sql]) => `'${name}', ${sql}`);
  return `json_build_object(${[...own, ...added].join(', ')})`;
}

const isoText = (time: string) =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export type { Bound, Columns, ColumnType };

const { builtins } = types;

const WITH_MILLISECONDS = '2026-02-03 04:05:06.789+00'.length;

/**
 * Converts `2026-02-03 04:05:06.78+00` to `2026-02-03T04:05:06.780Z` by slicing, because `Date`
 * takes ten times as long.
 */
export function isoTime(text: string): string {
  if (!text.endsWith('+00') || text[10] !== ' ') return new Date(text).toISOString();
  if (text.length >= WITH_MILLISECONDS) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

const UUIDS = 2951;

/**
 * Parses `{one,other}`. Ids need no quotes, and a general array parser takes longer than the query.
 */
const uuids = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','));

const PARSERS: Record<number, (text: string) => unknown> = {
  [builtins.TIMESTAMPTZ]: isoTime,
  [builtins.INT8]: Number,
  [builtins.DATE]: (text) => text,
  [UUIDS]: uuids,
};

const textsAsValues = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS[oid] ?? types.getTypeParser(oid, format ?? 'text')) as typeof types.getTypeParser,
};
