import type { Database } from '../database';
import { type Bound, inOneTrip } from './one-trip';
import {
  type Columns,
  type ColumnType,
  type FromColumns,
  sqlType,
  type ToParameters,
} from './statement-types';
import { textsAsValues } from './statement-values';

/** SQL that is written once: prepared under `name`, its parameters and columns known to the compiler. */
export interface Statement<Takes extends Columns, Gives extends Columns> {
  readonly name: string;
  readonly text: string;
  readonly takes: Takes;
  readonly gives: Gives;
  /**
   * Planned once a connection, for all values, where it is sent outside of a transaction, alone or as the last of a trip.
   * The statements before it in that trip are then planned so too. `indexed`: by indexes and in their order wherever that is
   * possible, for tables whose size, or a tenant's part of it, PostgreSQL cannot know when it makes the plan.
   */
  readonly onePlan: boolean | 'indexed';
}

/** Rows of a statement, in code that has the statement alone. */
export type RowOf<S> = S extends Statement<Columns, infer Gives> ? FromColumns<Gives> : never;
export type ParametersOf<S> =
  S extends Statement<infer Takes, Columns> ? ToParameters<Takes> : never;

const declared = new Map<string, Statement<Columns, Columns>>();

/**
 * Declares a statement. `sql` gets a placeholder for each parameter; `gives` are the columns that it returns, by the name
 * that the row has (`createdAt`), as `select` writes them. A test compares the declaration with the migrated database.
 * @throws Error when the name is declared twice
 */
export function statement<const Takes extends Columns, const Gives extends Columns>(
  name: string,
  declaration: {
    takes: Takes;
    gives: Gives;
    /** See `Statement`. */
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

/** Every statement that the loaded modules declare. */
export const declaredStatements = (): readonly Statement<Columns, Columns>[] => [
  ...declared.values(),
];

/** The statement's rows, in one round trip. */
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
 * The statement's rows, planned for these values: for one whose best plan depends on them, e.g. because filters may be
 * absent, where one plan for all values would be good for none.
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
 * Takes locks and runs the statement behind them in one round trip, as a transaction unless `db` is in one. A statement of
 * its own for each lock: the last sees what was committed while the ones before it waited.
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

/** Some rows, for statements that say it of the same ones: `from` with their names, SQL of which, and the order of an index. */
export interface Rows {
  readonly from: string;
  readonly where: string;
  readonly order: string;
}

/**
 * SQL: whether there are any. The order keeps to the index that has it: for EXISTS the planner may read a whole table, if it
 * takes such rows for many.
 */
export const anySql = ({ from, where, order }: Rows): string =>
  `(SELECT true FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT 1) IS NOT NULL`;

/** The columns as `gives` declares them, of the table or expression `from`: `i.created_at AS "createdAt"`. */
export function select(columns: Columns, from: string): string {
  return Object.keys(columns)
    .map((column) => `${from}.${snakeCase(column)} AS "${column}"`)
    .join(', ');
}

/**
 * The same columns as one JSON object, for parts of a row: times look as they do in columns. `more` are further properties
 * as SQL.
 */
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

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type { Bound, Columns, ColumnType };
