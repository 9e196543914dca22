type Row = Record<string, unknown>;

/** The columns of all rows, in the order of their first appearance. */
export const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** RFC 4180. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map(csvLine).join('');
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A text that a spreadsheet would take for a formula is quoted with an apostrophe; numbers are not. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
