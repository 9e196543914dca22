import { sqlMutations } from './sql-mutations.js';

const changed = (sql: string) =>
  sqlMutations(sql).map(({ at, was, becomes }) =>
    at.reduceRight(
      (text, from) => text.slice(0, from) + becomes + text.slice(from + was.length),
      sql,
    ),
  );

describe('sqlMutations', () => {
  it('treats each condition of AND as true, also within brackets and CASE', () => {
    expect(
      changed('SELECT FROM t WHERE a = $1 AND (CASE WHEN b AND c THEN d END) ORDER BY e'),
    ).toEqual([
      'SELECT FROM t WHERE (true OR (a = $1)) AND (CASE WHEN b AND c THEN d END) ORDER BY e',
      'SELECT FROM t WHERE a = $1 AND (true OR ((CASE WHEN b AND c THEN d END))) ORDER BY e',
      'SELECT FROM t WHERE a = $1 AND (CASE WHEN (true OR (b)) AND c THEN d END) ORDER BY e',
      'SELECT FROM t WHERE a = $1 AND (CASE WHEN b AND (true OR (c)) THEN d END) ORDER BY e',
      'SELECT FROM t WHERE a = $1 AND (CASE WHEN b AND c THEN d END) ORDER BY e DESC',
    ]);
  });

  it('treats each condition of OR as false', () => {
    expect(changed('SELECT FROM t WHERE (a OR b)')).toEqual([
      'SELECT FROM t WHERE ((false AND (a)) OR b)',
      'SELECT FROM t WHERE (a OR (false AND (b)))',
    ]);
  });

  it('does not divide BETWEEN', () => {
    expect(changed('SELECT FROM t WHERE a BETWEEN $1 AND $2')).toEqual([]);
  });

  it('exchanges comparisons, but no other operator that contains them', () => {
    expect(changed(`SELECT a->>'b' <@ c FROM t WHERE d < 1`)).toEqual([
      `SELECT a->>'b' <@ c FROM t WHERE d <= 1`,
    ]);
  });

  it('reverses each column of an order', () => {
    expect(changed('SELECT FROM t ORDER BY a, f(b, c) DESC LIMIT 1')).toEqual([
      'SELECT FROM t ORDER BY a DESC, f(b, c) DESC LIMIT 1',
      'SELECT FROM t ORDER BY a, f(b, c) ASC LIMIT 1',
    ]);
  });

  it('removes row locks', () => {
    expect(changed('SELECT FROM t LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED')).toEqual([
      'SELECT FROM t LIMIT 1 ',
    ]);
  });

  it('changes equal fragments together', () => {
    expect(changed('SELECT (a AND b), (a AND b)')).toEqual([
      'SELECT ((true OR (a)) AND b), ((true OR (a)) AND b)',
      'SELECT (a AND (true OR (b))), (a AND (true OR (b)))',
    ]);
  });
});
