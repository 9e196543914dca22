export type Columns<Row> = [heading: string, cell: (row: Row) => unknown][];

export function printTable<Row>(rows: Row[], columns: Columns<Row>, isJson: boolean): void {
  if (isJson) {
    printJson(rows);
    return;
  }
  const lines = [
    columns.map(([heading]) => heading.toUpperCase()),
    ...rows.map((row) => columns.map(([, cell]) => oneLine(cell(row)))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const padded = lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)));
  for (const line of padded) print(line.join('  ').trimEnd());
}

export function printFields(
  fields: Record<string, unknown>,
  isJson: boolean,
  whole: unknown = fields,
): void {
  if (isJson) {
    printJson(whole);
    return;
  }
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, value] of shown) print(`${name.padEnd(width)}  ${oneLine(value)}`);
}

export const printJson = (value: unknown): void =>
  print(JSON.stringify(value, null, 2).replace(UNSAFE, escaped));

const escaped = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const print = (text: string): void => writeText(`${text}\n`);

export const writeText = (text: string): void => void process.stdout.write(withoutControls(text));

export const note = (text: string): void => void process.stderr.write(`${withoutControls(text)}\n`);

export const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

const oneLine = (value: unknown) =>
  value === null || value === undefined ? '-' : String(value).replace(/\s+/g, ' ');

/** C1 controls, characters that change the writing direction, and Unicode line separators. */
const UNSAFE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Removes escape sequences and control characters that an agent's text could send to the terminal.
 */
export const withoutControls = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f]/g, '')
    .replace(UNSAFE, '');
