import type { Client } from 'pg';

interface Column {
  name: string;
  type: string;
  length: number | null;
  isRequired: boolean;
}

interface Key {
  columns: string[];
  target: string;
  targetColumns: string[];
}

interface Table {
  name: string;
  columns: Column[];
  keys: Key[];
}

const TABLES = `
  SELECT table_name AS name, json_agg(json_build_object('name', column_name, 'type', udt_name,
      'length', character_maximum_length, 'isRequired', is_nullable = 'NO' AND column_default IS NULL)) AS columns,
    coalesce((SELECT json_agg(json_build_object('target', confrelid::regclass::text,
        'columns', ARRAY(SELECT attname FROM unnest(conkey) WITH ORDINALITY k(number, at)
          JOIN pg_attribute ON attrelid = conrelid AND attnum = k.number ORDER BY at),
        'targetColumns', ARRAY(SELECT attname FROM unnest(confkey) WITH ORDINALITY k(number, at)
          JOIN pg_attribute ON attrelid = confrelid AND attnum = k.number ORDER BY at)))
      FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = table_name), '[]') AS keys
  FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' GROUP BY table_name ORDER BY 1`;

const VALUES: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: "'text é'",
  varchar: "'text é'",
  int4: '7',
  int8: '70000000000',
  bool: 'true',
  float8: '0.25',
  numeric: '1.000000000000000001',
  date: 'current_date',
  timestamptz: 'now()',
  json: `'{"a": [1]}'`,
  jsonb: `'{"a": [1]}'`,
  bytea: "'\\x00ff'",
  _text: "ARRAY['a', 'b']",
  tsvector: "'text'",
};

const CHOSEN: Record<string, string> = {
  'cost_event.source': "'agent'",
  'delivery.next_attempt_at': 'now()',
  'invite.role': "'viewer'",
  'membership.role': "'owner'",
  'personal_token.scope': "'read'",
  'routine_run.source': "'manual'",
  'routine_trigger.kind': "'api'",
  'spend_cap.period': "'day'",
  'spend_cap.scope': "'company'",
  'workspace.cwd': "'folder'",
};

const OF_TWO = ['issue_blocker'];

const isWhole = (table: Table, key: Key) =>
  key.columns.every((name) => table.columns.some((one) => one.name === name && one.isRequired));

function sampleOf(table: Table, { name, type, length, isRequired }: Column): string {
  const chosen = CHOSEN[`${table.name}.${name}`];
  if (chosen) return chosen;
  // An optional reference constrains its columns only if it is set.
  const keys = isRequired ? table.keys.filter((key) => isWhole(table, key)) : table.keys;
  const key = keys.find(({ columns }) => columns.includes(name));
  if (key)
    return `(SELECT ${key.targetColumns[key.columns.indexOf(name)]} FROM ${key.target} LIMIT 1)`;
  const value = VALUES[type];
  if (!value) throw new Error(`${table.name}.${name} is of a type without a value here: ${type}`);
  return length === null ? value : `left(${value}, ${length})`;
}

function insertion(table: Table): string {
  const columns = table.columns.filter(
    ({ name, isRequired }) => isRequired || CHOSEN[`${table.name}.${name}`],
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => sampleOf(table, column)).join(', ');
  return `INSERT INTO "${table.name}" (${names}) VALUES (${values})`;
}

const isRefusal = (error: unknown) => /^23/.test(String((error as { code?: string }).code));

/**
 * Inserts exactly one row into every table that allows it, for any schema version: required
 * columns first, then all others that the constraints allow.
 * @throws Error for a table whose required columns need a value that this file lacks
 */
export async function oneRowEach(client: Client): Promise<string[]> {
  const { rows } = await client.query<Table>(TABLES);
  const tables = rows.filter(({ name }) => !OF_TWO.includes(name));
  let waiting = tables;
  while (waiting.length > 0) {
    const refused: Table[] = [];
    const reasons: string[] = [];
    for (const table of waiting) {
      await client.query(insertion(table)).catch((error: Error) => {
        refused.push(table);
        reasons.push(error.message);
      });
    }
    if (refused.length === waiting.length) throw new Error(reasons.join('\n'));
    waiting = refused;
  }
  for (const table of tables) await fillOptional(client, table);
  for (const { name } of tables) {
    await client.query(`DELETE FROM "${name}" WHERE ctid <> (SELECT min(ctid) FROM "${name}")`);
  }
  return tables.map((table) => table.name);
}

async function fillOptional(client: Client, table: Table): Promise<void> {
  for (const column of table.columns.filter(
    ({ isRequired, type }) => !isRequired && type !== 'xid8',
  )) {
    const set = `UPDATE "${table.name}" SET "${column.name}" = ${sampleOf(table, column)}`;
    await client.query(`${set} WHERE "${column.name}" IS NULL`).catch((error) => {
      if (!isRefusal(error)) throw error;
    });
  }
}
