export interface LogPart {
  from: number;
  to: number;
  text: string;
}

/**
 * The part of a log that the page holds. A log can exceed a page's memory, so new parts enter at
 * one end and old ones leave at the other.
 */
export interface LogWindow {
  parts: readonly LogPart[];
  rows: readonly string[];
  firstRow: number;
}

export const EMPTY_WINDOW: LogWindow = { parts: [], rows: [], firstRow: 0 };

export const windowFrom = ({ parts }: LogWindow): number => parts[0]?.from ?? 0;
export const windowTo = ({ parts }: LogWindow): number => parts.at(-1)?.to ?? 0;

export function appended(window: LogWindow, part: LogPart): LogWindow {
  const last = window.rows.at(-1) ?? '';
  const rows = [...window.rows.slice(0, -1), ...rowsOf(last + part.text)];
  return withoutFirstParts({ ...window, parts: [...window.parts, part], rows });
}

export function prepended(window: LogWindow, part: LogPart): LogWindow {
  const first = window.rows[0] ?? '';
  const before = rowsOf(part.text + first);
  const rows = [...before, ...window.rows.slice(1)];
  const firstRow = window.firstRow - (rows.length - window.rows.length);
  return withoutLastParts({ parts: [part, ...window.parts], rows, firstRow });
}

function rowsOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.every((line) => line.length <= LONGEST_ROW)) return lines;
  return lines.flatMap(piecesOf);
}

function piecesOf(line: string): string[] {
  if (line.length <= LONGEST_ROW) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < line.length; ) {
    const end = endOfPiece(line, at);
    pieces.push(line.slice(at, end));
    at = end;
  }
  return pieces;
}

function endOfPiece(line: string, at: number): number {
  const end = Math.min(line.length, at + LONGEST_ROW);
  const unit = line.charCodeAt(end - 1);
  return end < line.length && unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}

function withoutFirstParts(window: LogWindow): LogWindow {
  if (sizeOf(window) <= LARGEST_WINDOW) return window;
  const parts = window.parts.slice(1);
  const rows = rowsOf(parts.map(({ text }) => text).join(''));
  const firstRow = window.firstRow + (window.rows.length - rows.length);
  return withoutFirstParts({ parts, rows, firstRow });
}

function withoutLastParts(window: LogWindow): LogWindow {
  if (sizeOf(window) <= LARGEST_WINDOW) return window;
  const parts = window.parts.slice(0, -1);
  const rows = rowsOf(parts.map(({ text }) => text).join(''));
  return withoutLastParts({ parts, rows, firstRow: window.firstRow });
}

const sizeOf = (window: LogWindow) =>
  window.parts.length < 2 ? 0 : windowTo(window) - windowFrom(window);

/** In characters. Browsers take long to lay out longer rows. */
const LONGEST_ROW = 2_000;
const LARGEST_WINDOW = 2_097_152;

export interface LogLine {
  row: number;
  text: string;
}

export function linesOf({ parts, rows, firstRow }: LogWindow): LogLine[] {
  const text = parts.map((part) => part.text).join('');
  const lines: LogLine[] = [];
  let from = 0;
  let at = 0;
  let row = firstRow;
  for (const [index, piece] of rows.entries()) {
    at += piece.length;
    if (at < text.length && text[at] !== '\n') continue;
    lines.push({ row, text: text.slice(from, at) });
    at += 1;
    from = at;
    row = firstRow + index + 1;
  }
  return lines;
}

export function rowAt(window: LogWindow, byte: number): number | undefined {
  const at = window.parts.findIndex(({ from, to }) => from <= byte && byte < to);
  const part = window.parts[at];
  if (!part) return undefined;
  const { read } = new TextEncoder().encodeInto(part.text, new Uint8Array(byte - part.from));
  const before = window.parts.slice(0, at).map(({ text }) => text);
  const rows = rowsOf([...before, part.text.slice(0, read)].join(''));
  return window.firstRow + Math.min(rows.length, window.rows.length) - 1;
}
