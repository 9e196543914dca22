import { createRequire } from 'node:module';
import { sized } from '../lists/seed.mjs';
import { explain, percentile, timed } from '../shared/measure.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { endOldWork, fillLists } from './fill-lists.mjs';
import { assertComplete, inboxRequests, listRequests } from './requests.mjs';
import { serve } from './serve.mjs';

const require = createRequire(import.meta.url);
const { encodeCursor } = require('@switchyard/orchestration/dist/lists/page.js');

/**
 * The second size has ten times as many rows, spread over ten times the period, but the same number
 * of agents.
 */
const SIZES = [sized(10_000, 100_000), { ...sized(100_000, 1_000_000), days: 3_650 }];

const MAX_RATIO = 1.5;
const NOISE_MS = 0.5;
const ROUNDS = 4;
const ATTEMPTS = 4;
const REQUESTS_A_ROUND = 30;
const PAGES_DEEP = 5;
const LARGE_TABLE_ROWS = 5_000;

const ANY_ID = '80000000-0000-7000-8000-000000000000';

async function timeCursor(pool, { table }) {
  const { rows } = await pool.query(
    `SELECT min(created_at) + (max(created_at) - min(created_at)) * 0.3 AS time FROM ${table}`,
  );
  const time = rows[0].time.toISOString();
  return encodeCursor(table === 'issue' ? [2, time, ANY_ID] : [time, ANY_ID]);
}

async function walkedCursor(url) {
  let cursor = null;
  for (let page = 0; page < PAGES_DEEP; page++) {
    const response = await fetch(cursor ? `${url}&cursor=${cursor}` : url);
    await response.arrayBuffer();
    cursor = response.headers.get('x-next-cursor');
    if (cursor === null) return null;
  }
  return cursor;
}

async function openSize(serverUrl, size) {
  console.log(`seeding ${size.issues} issues, ${size.runs} runs, ${size.activities} records …`);
  const database = await scratchDatabase(serverUrl, size.issues, { fill: fillLists(size) });
  const server = await serve(database.url).catch(async (error) => {
    await database.drop();
    throw error;
  });
  const { rows } = await server.pool.query(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND reltuples >= ${LARGE_TABLE_ROWS}`,
  );
  const cursors = new Map();
  const baseOf = ({ filters, path }) => `${server.url}${path}?${new URLSearchParams(filters)}`;
  return {
    known: database.known,
    server,
    large: new Set(rows.map(({ name }) => name)),
    deepCursor: async (request) => {
      if (!cursors.has(request.title)) {
        const found = request.table
          ? timeCursor(server.pool, request)
          : walkedCursor(baseOf(request));
        cursors.set(request.title, await found);
      }
      return cursors.get(request.title);
    },
    urlOf: (request, { cursor, limit }) => {
      const query = new URLSearchParams(request.filters);
      if (limit !== undefined) query.set('limit', limit);
      if (cursor) query.set('cursor', cursor);
      return `${server.url}${request.path}?${query}`;
    },
    close: async () => {
      await server.close();
      await database.drop();
    },
  };
}

const WHOLE = 'SEQ SCAN ';

const isList = ({ text }) => / LIMIT /i.test(text) && /ORDER BY/i.test(text);

async function look(size, url) {
  const { statements, pool } = size.server;
  await timed(url);
  statements.length = 0;
  const { rows } = await timed(url);
  const asked = statements.splice(0);
  const plans = [];
  for (const statement of asked.filter(isList)) plans.push(await explain(pool, statement));
  const scans = [...new Set(plans.flatMap((plan) => plan.scans))];
  return {
    rows,
    queries: asked.length,
    scans: scans.filter(
      (scan) => !scan.startsWith(WHOLE) || size.large.has(scan.slice(WHOLE.length)),
    ),
    pages: plans.reduce((sum, plan) => sum + plan.pages, 0),
  };
}

/**
 * Sends one request at a time and requests both sizes in random order, so that disturbances such as
 * garbage collection affect both.
 */
async function race(urls) {
  const rounds = urls.map(() => ({ p50: [], p95: [] }));
  for (let round = 0; round < ROUNDS; round++) {
    const times = urls.map(() => []);
    for (let at = 0; at < REQUESTS_A_ROUND; at++) {
      const inTurn = Math.random() < 0.5 ? [0, 1] : [1, 0];
      for (const size of inTurn) times[size].push((await timed(urls[size])).ms);
    }
    for (const [size, of] of times.entries()) {
      rounds[size].p50.push(percentile(of, 0.5));
      rounds[size].p95.push(percentile(of, 0.95));
    }
  }
  return rounds.map(({ p50, p95 }) => ({ p50: Math.min(...p50), p95: Math.min(...p95) }));
}

async function benchRequest(sizes, request, deep) {
  const cursors = [];
  for (const size of sizes) cursors.push(deep ? await size.deepCursor(request) : undefined);
  if (cursors.includes(null)) return [];
  const lookAtAll = async (limit) => {
    const urls = sizes.map((size, at) => size.urlOf(request, { cursor: cursors[at], limit }));
    return { urls, seen: [await look(sizes[0], urls[0]), await look(sizes[1], urls[1])] };
  };
  let { urls, seen } = await lookAtAll();
  const shorter = Math.min(...seen.map((each) => each.rows));
  if (seen[0].rows !== seen[1].rows) ({ urls, seen } = await lookAtAll(Math.max(1, shorter)));
  const [few, many] = seen;
  const isSlower = ([small, large]) =>
    large.p95 / small.p95 > MAX_RATIO && large.p95 - small.p95 > NOISE_MS;
  let times = await race(urls);
  for (let again = 1; again < ATTEMPTS && isSlower(times); again++) times = await race(urls);
  const [small, large] = times;
  const ratio = large.p95 / small.p95;
  const problems = [];
  if (isSlower(times)) problems.push('RATIO');
  if (many.scans.some((scan) => scan.startsWith(WHOLE))) problems.push('SEQ SCAN');
  if (few.queries !== many.queries) problems.push('QUERIES');
  const ms = (value) => value.toFixed(1).padStart(6);
  console.log(
    [
      `${request.title}${deep ? ' (deep)' : ''}`.padEnd(72),
      `${ms(small.p50)}${ms(small.p95)} |${ms(large.p50)}${ms(large.p95)} |`,
      `${ratio.toFixed(2).padStart(5)}  ${`${few.rows} → ${many.rows}`.padStart(9)} rows`,
      `${many.queries} queries ${String(few.pages).padStart(5)} → ${String(many.pages).padEnd(6)}`,
      many.scans.join(', '),
      problems.join(' '),
    ].join(' '),
  );
  return problems.map((problem) => `${problem}: ${request.title}${deep ? ' (deep)' : ''}`);
}

export async function bench(serverUrl, { words }) {
  const sizes = [];
  const problems = [];
  const beginnings = (words[0] ?? '').split('|');
  const isAsked = ({ title }) => beginnings.some((beginning) => title.startsWith(beginning));
  const run = async (requests) => {
    for (const request of requests.filter(isAsked)) {
      for (const deep of [false, true])
        problems.push(...(await benchRequest(sizes, request, deep)));
    }
  };
  try {
    for (const size of SIZES) sizes.push(await openSize(serverUrl, size));
    const [{ known }] = sizes;
    const [requests, inbox] = [listRequests(known), inboxRequests(known)];
    assertComplete([...requests, ...inbox]);
    console.log(
      `\nlist (p50 and p95 in ms at ${SIZES.map((size) => size.issues).join(' | ')} issues; ratio of p95; rows of the answer; queries of a request; pages read by the list's statement; what it scans)\n`,
    );
    await run(requests);
    if (inbox.some(isAsked)) {
      for (const { server } of sizes) await endOldWork(server.pool, known, SIZES[0].issues);
      await run(inbox);
    }
  } finally {
    for (const size of sizes) await size.close();
  }
  console.log(
    problems.length > 0 ? `\nmissed:\n${problems.join('\n')}` : '\nevery list is within its bounds',
  );
  return problems.length === 0;
}
