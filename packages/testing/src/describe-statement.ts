import type { Client, Connection, FieldDef } from 'pg';

function describe(client: Client, text: string): Promise<FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: FieldDef[] = [];
    const query = {
      callback: () => undefined,
      submit: (connection: Connection) => {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
        return null;
      },
      handleRowDescription: (message: { fields: FieldDef[] }) => {
        fields = message.fields;
      },
      handleError: (error: Error) => {
        query.callback();
        reject(error);
      },
      handleReadyForQuery: () => {
        query.callback();
        resolve(fields);
      },
    };
    client.query(query);
  });
}

const COLUMN = `
  SELECT t.typname AS type,
    (SELECT a.attnotnull FROM pg_attribute a WHERE a.attrelid = $2 AND a.attnum = $3) AS required
  FROM pg_type t WHERE t.oid = $1`;

const TYPES: Record<string, readonly string[]> = {
  uuid: ['uuid'],
  text: ['text', 'varchar', 'bpchar'],
  int: ['int4', 'int2'],
  bigint: ['int8'],
  float: ['float8'],
  bool: ['bool'],
  bytes: ['bytea'],
  json: ['jsonb', 'json'],
  time: ['timestamptz'],
  date: ['date'],
  'uuid[]': ['_uuid'],
  'text[]': ['_text', '_varchar'],
  'int[]': ['_int4'],
};

/**
 * Returns how a declared statement differs from the migrated database: missing or extra columns,
 * another type, or a column declared not null although its table allows null. Does not detect nulls
 * of an outer join, because PostgreSQL does not report them.
 */
export async function statementFaults(
  client: Client,
  statement: { name: string; text: string; gives: Readonly<Record<string, string>> },
): Promise<string[]> {
  const { name, text, gives } = statement;
  const fields = await describe(client, text).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  const faults: string[] = [];
  const returned = fields.map((field) => field.name);
  if (returned.join() !== Object.keys(gives).join()) {
    return [`${name}: returns ${returned.join()}, and declares ${Object.keys(gives).join()}`];
  }
  for (const { name: column, dataTypeID, tableID, columnID } of fields) {
    const { rows } = await client.query(COLUMN, [dataTypeID, tableID, columnID]);
    const { type, required } = rows[0] as { type: string; required: boolean | null };
    const declared = gives[column] ?? '';
    if (!TYPES[declared.replace('?', '')]?.includes(type)) {
      faults.push(`${name}: ${column} is ${type}, not ${declared}`);
    }
    if (required === false && !declared.endsWith('?'))
      faults.push(`${name}: ${column} may be null`);
  }
  return faults;
}
