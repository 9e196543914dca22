const MARK = '#';

export const ownerName = (exchange: string, account: string | null): string =>
  account === null ? exchange : `${exchange}${MARK}${account}`;

export function presentOwner(name: string): { exchange: string; account?: string } {
  const at = name.lastIndexOf(MARK);
  if (at < 0) return { exchange: name };
  return { exchange: name.slice(0, at), account: name.slice(at + 1) };
}

export const exchangeSql = (column: string) => `split_part(${column}, '${MARK}', 1)`;
export const accountSql = (column: string) => `split_part(${column}, '${MARK}', 2)`;

const TOGETHER = '+';

export const togetherName = (names: readonly string[]): string => [...names].sort().join(TOGETHER);
export const togetherSql = (column: string) =>
  `string_agg(${column}, '${TOGETHER}' ORDER BY ${column} COLLATE "C")`;
