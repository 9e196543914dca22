import {
  ask,
  type Columns,
  type ColumnType,
  type Database,
  type FromColumns,
  select,
  statement,
} from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { decodeCursor, page } from './page';
import { unseen } from './unseen';

type Derived = Readonly<Record<string, readonly [ColumnType, string]>>;
type DerivedColumns<D extends Derived> = { readonly [K in keyof D]: D[K][0] };

interface Listed<Gives extends Columns, More extends Derived, Filter extends string> {
  table: string;
  gives: Gives & { id: 'uuid'; createdAt: 'time' };
  derived?: More;
  where?: string;
  filters?: Readonly<Record<Filter, string | SqlFilter>>;
}

interface SqlFilter {
  type: ColumnType;
  where: (parameter: string) => string;
}

type Query<Filter extends string> = { [F in Filter]?: string | undefined } & {
  companyId: string;
  limit: number;
  cursor?: string | undefined;
};

interface NewestFirstList<Filter extends string, Shown> {
  (db: Database, query: Query<Filter>): Promise<Reply<Shown[]>>;
  byIds(db: Database, companyId: string, ids: string[]): Promise<Shown[]>;
}

/**
 * Declares one statement per combination of filters, so that PostgreSQL plans each with a suitable
 * index.
 */
export function newestFirstList<
  const Gives extends Columns,
  const Filter extends string = never,
  const More extends Derived = Record<never, never>,
  Row extends object = FromColumns<Gives & DerivedColumns<More>>,
  Shown = Row,
>(
  name: string,
  listed: Listed<Gives, More, Filter>,
  present: (row: Row) => Shown = (row) => row as unknown as Shown,
): NewestFirstList<Filter, Shown> {
  const filters = Object.keys(listed.filters ?? {}) as Filter[];
  const statements = subsetsOf(filters).map((chosen) => declare(name, listed, chosen));
  const rowsByIds = declareRows(name, listed);
  const list = async (db: Database, query: Query<Filter>) => {
    const given = filters.map((filter) => query[filter]);
    const at = given.reduce(
      (bits, value, bit) => (value === undefined ? bits : bits | (1 << bit)),
      0,
    );
    const rows = await ask(db, statements[at] as ReturnType<typeof declare>, {
      ...query,
      ...startOf(query.cursor),
      take: query.limit + 1,
    });
    return page(
      rows as (Row & { id: string; createdAt: string })[],
      query.limit,
      present,
      (row) => [row.createdAt, row.id],
    );
  };
  const byIds = async (db: Database, companyId: string, ids: string[]) => {
    const rows = await ask(db, rowsByIds, { companyId, ids });
    return (rows as unknown as Row[]).map(present);
  };
  return Object.assign(list, { byIds });
}

function declareRows<Gives extends Columns, More extends Derived>(
  name: string,
  listed: Listed<Gives, More, string>,
) {
  return statement(`${name}-by-ids`, {
    takes: { companyId: 'uuid', ids: 'uuid[]' },
    gives: givesOf(listed),
    sql: (p) => `
      SELECT ${columnsOf(listed)} FROM ${listed.table} listed
      WHERE listed.company_id = ${p.companyId} AND listed.id = ANY (${p.ids})
        ${listed.where ? `AND ${listed.where}` : ''}`,
  });
}

function subsetsOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: 2 ** all.length }, (_, bits) =>
    all.filter((_each, bit) => bits & (1 << bit)),
  );
}

function declare<Gives extends Columns, More extends Derived, Filter extends string>(
  name: string,
  listed: Listed<Gives, More, Filter>,
  chosen: readonly Filter[],
) {
  const { table, where, filters } = listed;
  const bound = chosen.length === 0 ? unseen : String;
  const by = Object.fromEntries(chosen.map((name) => [name, typeOf(filters?.[name])]));
  const takes = {
    companyId: 'uuid',
    ...by,
    before: 'time',
    beforeId: 'uuid',
    take: 'int',
  } as const;
  return statement([name, ...chosen].join('-by-'), {
    takes: takes as Columns,
    gives: givesOf(listed),
    sql: (p) => `
      SELECT ${columnsOf(listed)}
      FROM ${table} listed
      WHERE listed.company_id = ${p.companyId} ${where ? `AND ${where}` : ''}
        ${chosen.map((name) => `AND ${whereOf(filters?.[name], p[name] as string)}`).join(' ')}
        AND (listed.created_at, listed.id) < (${bound(p.before)}, ${bound(p.beforeId)})
      ORDER BY listed.created_at DESC, listed.id DESC LIMIT ${bound(p.take)}`,
  });
}

function givesOf<Gives extends Columns>({ gives, derived }: Listed<Gives, Derived, string>) {
  const more = Object.entries(derived ?? {}).map(([column, [type]]) => [column, type]);
  return { ...gives, ...Object.fromEntries(more) } as Columns;
}

function columnsOf<Gives extends Columns>({ gives, derived }: Listed<Gives, Derived, string>) {
  const more = Object.entries(derived ?? {}).map(([column, [, sql]]) => `${sql} AS "${column}"`);
  return [select(gives, 'listed'), ...more].join(', ');
}

const typeOf = (filter: string | SqlFilter | undefined): ColumnType =>
  typeof filter === 'object' ? filter.type : 'text';

const whereOf = (filter: string | SqlFilter | undefined, parameter: string): string =>
  typeof filter === 'object' ? filter.where(parameter) : `listed.${filter} = ${parameter}`;

function startOf(cursor: string | undefined) {
  const [before, beforeId] = decodeCursor(cursor, ['time', 'id']) ?? BEHIND_ALL;
  return { before, beforeId };
}

const BEHIND_ALL = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
