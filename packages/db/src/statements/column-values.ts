export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns the fields by column, for the JSON parameter of a statement with `insertedFields` or
 * `setFields`. A missing column is null in a new row, and unchanged in an existing one.
 */
export function columnValues(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), asJson(value)]),
  );
}

function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'bigint' ? String(value) : value;
}

export function insertedFields(table: string, columns: readonly string[], values: string): string {
  const list = columns.join(', ');
  return `(${list}) SELECT ${list} FROM jsonb_populate_record(NULL::${table}, ${values})`;
}

export function setFields(table: string, columns: readonly string[], values: string): string {
  const set = columns.map(
    (column) =>
      `${column} = CASE WHEN ${values} ? '${column}' THEN given.${column} ELSE ${table}.${column} END`,
  );
  return `${set.join(', ')}, updated_at = now()
    FROM jsonb_populate_record(NULL::${table}, ${values}) given`;
}
