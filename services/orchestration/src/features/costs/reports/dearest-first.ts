import type { ListCostsQuery } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { decodeCursor, page } from '../../../lists/page';
import { rangeOf } from './cost-range';

export const PAGE_OF_RANGE = {
  companyId: 'uuid',
  from: 'date?',
  to: 'date?',
  belowCents: 'bigint?',
  belowKey: 'uuid?',
  take: 'int',
} as const;

export function pageOfRange({ companyId }: Call, query: ListCostsQuery) {
  const [belowCents = null, belowKey = null] = decodeCursor(query.cursor, ['bigint', 'id']) ?? [];
  return {
    companyId,
    ...rangeOf(query),
    belowCents: belowCents as number | null,
    belowKey: belowKey as string | null,
    take: query.limit + 1,
  };
}

export function dearestFirst(
  p: Record<keyof typeof PAGE_OF_RANGE, string>,
  { spent, key }: { spent: string; key: string },
): string {
  return `
    SELECT * FROM (SELECT *, ${key} AS key FROM (${spent}) spent) keyed
    WHERE ${p.belowCents} IS NULL OR (cost_cents, key) < (${p.belowCents}, ${p.belowKey})
    ORDER BY cost_cents DESC, key DESC LIMIT ${p.take}`;
}

export const keyOrNone = (column: string) =>
  `coalesce(${column}, '00000000-0000-0000-0000-000000000000')`;

export function pageOfDearest<Row extends { costCents: number; key: string }>(
  rows: Row[],
  { limit }: ListCostsQuery,
) {
  const present = ({ key: _, ...row }: Row) => row;
  return page(rows, limit, present, ({ costCents, key }) => [costCents, key]);
}
