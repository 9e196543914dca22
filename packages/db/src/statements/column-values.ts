export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the fields by column, for a JSON parameter of `insertedFields` or `setFields`. */
export function columnValues(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), asJson(value)]),
  );
}

function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'bigint' ? String(value) : value;
}

/** SQL after INSERT INTO: a row of these columns; a column that the JSON object omits is null. */
export function insertedFields(table: string, columns: readonly string[], values: string): string {
  const list = columns.join(', ');
  return `(${list}) SELECT ${list} FROM jsonb_populate_record(NULL::${table}, ${values})`;
}

/** SQL after SET: `updated_at`, and each of these columns that the JSON object contains. */
export function setFields(table: string, columns: readonly string[], values: string): string {
  const set = columns.map(
    (column) =>
      `${column} = CASE WHEN ${values} ? '${column}' THEN given.${column} ELSE ${table}.${column} END`,
  );
  return `${set.join(', ')}, updated_at = now()
    FROM jsonb_populate_record(NULL::${table}, ${values}) given`;
}
