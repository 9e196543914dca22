import { createHash } from 'node:crypto';
import { valueError } from '../http/invalid-request';
import type { HistoryQuery } from './history-query';
import { TABLES } from './tables';

const RAW = new RegExp(`^(?:${Object.keys(TABLES).join('|')}):\\d{1,18}$`);

export interface Cursor {
  start: number | null;
  end: number | null;
  at: number;
  tie: string;
}

export function writeCursor(query: HistoryQuery, cursor: Cursor): string {
  const { start, end, at, tie } = cursor;
  const parts = [fingerprint(query), start, end, at, tie];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const EARLIEST = -6.3e13;

export function readCursor(query: HistoryQuery): Cursor | null {
  if (query.cursor === undefined) return null;
  const wrong = (reason: string) => valueError(['query', 'cursor'], reason, query.cursor);
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(query.cursor, 'base64url').toString());
  } catch {
    throw wrong('the cursor must be one that this service returned');
  }
  if (!Array.isArray(parts) || parts.length !== 5) {
    throw wrong('the cursor must be one that this service returned');
  }
  const [mark, start, end, at, tie] = parts;
  const isTime = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) > EARLIEST && (value as number) < 8e15;
  const isWindow = (value: unknown) => value === null || isTime(value);
  const form = query.interval === 'raw' ? RAW : /^\d{1,18}$/;
  if (!isWindow(start) || !isWindow(end) || !isTime(at) || !form.test(String(tie))) {
    throw wrong('the cursor must be one that this service returned');
  }
  if (mark !== fingerprint(query)) throw wrong('the cursor belongs to another query');
  return { start, end, at, tie: String(tie) };
}

function fingerprint(query: HistoryQuery): string {
  const { cursor: _, limit: __, start: ___, end: ____, ...rest } = query;
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 12);
}
