import { malformed } from '../../failure';

interface PagedRow {
  id?: unknown;
  timestamp?: unknown;
  info?: unknown;
}

interface Page {
  rows: readonly PagedRow[];
  read: number;
  to: number;
}

type NextPage = (page: Page) => Record<string, string> | null;

const fieldOf = ({ info }: PagedRow, name: string) => (info as Record<string, unknown>)?.[name];

/**
 * Searches all rows for the cursor, because the library copies it from the response into one row.
 */
const byCursor =
  (name: string): NextPage =>
  ({ rows }) => {
    const cursor = rows.map((row) => fieldOf(row, name)).find(Boolean);
    return cursor ? { cursor: String(cursor) } : null;
  };

const byOffset =
  (size: number): NextPage =>
  ({ rows, read }) =>
    rows.length < size ? null : { ofs: String(read) };

const before =
  (name: string, size: number): NextPage =>
  ({ rows }) =>
    rows.length < size ? null : { after: String(numbersOf(rows, name).at(0)) };

const fromId =
  (size: number): NextPage =>
  ({ rows, to }) => {
    const isOver = rows.some(({ timestamp }) => Number(timestamp) > to);
    if (rows.length < size || isOver) return null;
    return { fromId: String((numbersOf(rows, 'id').at(-1) as bigint) + 1n) };
  };

function numbersOf(rows: readonly PagedRow[], name: string): bigint[] {
  const texts = rows.map((row) => String(fieldOf(row, name)));
  if (!texts.every((text) => /^\d+$/.test(text))) {
    throw malformed('exchange', `${name}: must be a number, because it selects the next page`);
  }
  return texts.map(BigInt).sort((one, other) => (one < other ? -1 : 1));
}

interface Paging {
  limit?: number;
  next: NextPage;
}

/**
 * Paging as each exchange documents it. Without `orders`, a single page contains all open orders.
 */
const PAGES: Record<string, { fills: Paging; orders?: Paging }> = {
  binance: { fills: { limit: 1000, next: fromId(1000) } },
  bybit: {
    fills: { limit: 100, next: byCursor('nextPageCursor') },
    orders: { limit: 50, next: byCursor('nextPageCursor') },
  },
  coinbase: { fills: { next: byCursor('cursor') }, orders: { next: byCursor('cursor') } },
  kraken: { fills: { next: byOffset(50) } },
  okx: {
    fills: { limit: 100, next: before('billId', 100) },
    orders: { limit: 100, next: before('ordId', 100) },
  },
};

/**
 * Every exchange returns at least this many rows per full page, so a page with fewer rows is the
 * last.
 */
const SMALLEST_PAGE = 50;
const MOST_PAGES = 40;

export interface PagesRead<Row> {
  rows: Row[];
  isWhole: boolean;
}

export async function readPages<Row extends PagedRow>(
  exchange: string,
  what: 'fills' | 'orders',
  to: number,
  ask: (more: Record<string, string>, limit: number | undefined) => Promise<Row[]>,
): Promise<PagesRead<Row>> {
  const paging = PAGES[exchange]?.[what];
  const found: Row[] = [];
  let more: Record<string, string> = {};
  for (let page = 0; page < MOST_PAGES; page++) {
    const rows = await ask(more, paging?.limit);
    found.push(...rows);
    if (!paging) return { rows: found, isWhole: what === 'orders' || rows.length < SMALLEST_PAGE };
    const next = paging.next({ rows, read: found.length, to });
    if (!next) return { rows: found, isWhole: true };
    more = next;
  }
  return { rows: found, isWhole: false };
}
