import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { RunLogSearchView, SearchRunLogQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { readRun } from '../../../state/runs/runs';
import { readBytes } from './read-run-log';

type Match = RunLogSearchView['matches'][number];

export async function searchRunLog(
  { db }: Pick<Call, 'db'>,
  runId: string,
  { q, offset, limit }: SearchRunLogQuery,
): Promise<RunLogSearchView> {
  const run = await readRun(db, runId);
  if (!run) throw notFound('heartbeat run');
  const { logBytes: size } = run;
  if (q === undefined) return { runId, matches: [], nextOffset: offset, complete: true, size };
  const needle = folded(Buffer.from(q));
  const end = Math.min(size, offset + MOST_BYTES);
  const matches: Match[] = [];
  let at = offset;
  while (at < end && matches.length < limit) {
    const to = Math.min(end, at + PAGE_BYTES);
    const most = limit - matches.length;
    const page = await searchPage(db, runId, needle, { from: at, to, most });
    matches.push(...page);
    const last = page.at(-1);
    at = last && matches.length === limit ? last.offset + needle.length : to;
  }
  return { runId, matches, nextOffset: at, complete: at >= size, size };
}

const PAGE_BYTES = 1_048_576;
const MOST_BYTES = 8 * PAGE_BYTES;
const AROUND_BYTES = 160;

async function searchPage(
  db: Database,
  runId: string,
  needle: Buffer,
  { from, to, most }: { from: number; to: number; most: number },
): Promise<Match[]> {
  const start = Math.max(0, from - AROUND_BYTES);
  const bytes = await readBytes(db, runId, start, to + needle.length + AROUND_BYTES);
  const haystack = folded(bytes);
  const matches: Match[] = [];
  let at = haystack.indexOf(needle, from - start);
  while (at >= 0 && start + at < to && matches.length < most) {
    matches.push(matchAt(bytes, at, needle.length, start));
    at = haystack.indexOf(needle, at + needle.length);
  }
  return matches;
}

function matchAt(bytes: Buffer, at: number, length: number, start: number): Match {
  const end = at + length;
  const before = bytes.subarray(Math.max(0, at - AROUND_BYTES), at);
  const after = bytes.subarray(end, end + AROUND_BYTES);
  return {
    offset: start + at,
    before: lastLineOf(before),
    match: bytes.toString('utf8', at, end),
    after: firstLineOf(after),
  };
}

const CUT_BEGIN = /^\uFFFD{1,3}/;
const CUT_END = /\uFFFD$/;

const lastLineOf = (bytes: Buffer) =>
  (
    bytes
      .toString('utf8')
      .split(/[\r\n]/)
      .at(-1) ?? ''
  ).replace(CUT_BEGIN, '');

const firstLineOf = (bytes: Buffer) =>
  (bytes.toString('utf8').split(/[\r\n]/, 1)[0] ?? '').replace(CUT_END, '');

function folded(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 0; at < copy.length; at++) {
    const byte = copy[at] as number;
    if (byte >= 0x41 && byte <= 0x5a) copy[at] = byte | 0x20;
  }
  return copy;
}
