import type { OpenDatabase } from '@switchyard/db';

const PAGE = 1_000;

const KINDS = ['activity', 'costs'] as const;
type Kind = (typeof KINDS)[number];

export function readExport(words: string[]): { what: Kind; since: Date } {
  const [kind, option, day = '1970-01-01', ...more] = words;
  const what = KINDS.find((each) => each === kind);
  const since = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(day) : new Date(Number.NaN);
  const isKnown = option === undefined || (option === '--since' && words.length === 3);
  if (what && isKnown && more.length === 0 && !Number.isNaN(since.getTime())) {
    return { what, since };
  }
  throw new Error('usage: export activity|costs [--since 2030-01-31]');
}

export async function* exportLines(
  { prisma }: OpenDatabase,
  what: Kind,
  since: Date,
): AsyncGenerator<string> {
  const createdAt = { gte: since };
  if (what === 'activity') {
    yield* pages(
      ({ sequence }: { sequence: bigint }) => sequence,
      (after = 0n) =>
        prisma.activity.findMany({
          where: { sequence: { gt: after }, createdAt },
          orderBy: { sequence: 'asc' },
          take: PAGE,
        }),
    );
    return;
  }
  yield* pages(
    ({ id }: { id: string }) => id,
    (after?: string) =>
      prisma.costEvent.findMany({
        where: { ...(after && { id: { gt: after } }), createdAt },
        orderBy: { id: 'asc' },
        omit: { idempotencyKey: true, contentHash: true },
        take: PAGE,
      }),
  );
}

async function* pages<Row extends object, Key>(
  keyOf: (row: Row) => Key,
  read: (after?: Key) => Promise<Row[]>,
): AsyncGenerator<string> {
  let after: Key | undefined;
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    after = keyOf(last);
    yield rows.map((row) => `${JSON.stringify(row, asText)}\n`).join('');
  }
}

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
