import { ask, select, statement } from '@switchyard/db';
import type { ListCostsQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { decodeCursor, page } from '../../../lists/page';
import { dayAfter, firstDay, rangeOf, SUMS, talliedBy } from './cost-range';

export async function listCostsByDay(call: Call, query: ListCostsQuery) {
  const [before] = decodeCursor(query.cursor, ['time']) ?? [];
  const rows = await ask(call.db, readCostsByDay, {
    companyId: call.companyId,
    ...rangeOf(query),
    before: before === undefined ? null : (before as string).slice(0, 10),
    take: query.limit + 1,
  });
  const cursorOf = ({ day }: { day: string }) => [`${day}T00:00:00.000Z`];
  return page(rows, query.limit, (row) => row, cursorOf);
}

const DAY = { day: 'date', ...SUMS } as const;

const readCostsByDay = statement('read-costs-by-day', {
  takes: { companyId: 'uuid', from: 'date?', to: 'date?', before: 'date?', take: 'int' },
  gives: DAY,
  sql: (p) => {
    const end = `least(${dayAfter(p)}, ${p.before}, (now() AT TIME ZONE 'UTC')::date + 1)`;
    const start = `greatest(${firstDay(p)}, ${end} - ${p.take})`;
    return `
    SELECT ${select({ day: 'date' }, 'listed')}, ${Object.keys(SUMS).map(orZero).join(', ')}
    FROM (SELECT ${start} + n AS day FROM generate_series(0, ${end} - ${start} - 1) n) listed
    LEFT JOIN (${talliedBy('day', { companyId: p.companyId, from: start, to: end })}) spent
      ON spent.day = listed.day
    ORDER BY listed.day DESC`;
  },
});

function orZero(sum: string): string {
  const column = sum.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `coalesce(spent.${column}, 0) AS "${sum}"`;
}
