import { createStatementNames } from '../open-database';

describe('createStatementNames', () => {
  const one = { sql: 'SELECT 1' };

  it('returns no name for the first use of a text, and then always the same name', () => {
    const nameOf = createStatementNames();
    expect(nameOf(one)).toBe('');
    const name = nameOf(one);
    expect(name).toMatch(/^p-[\w-]{22}$/);
    expect(nameOf(one)).toBe(name);
  });

  it('returns different names for different texts', () => {
    const nameOf = createStatementNames();
    const other = { sql: 'SELECT 2' };
    nameOf(one);
    nameOf(other);
    expect(nameOf(one)).not.toBe(nameOf(other));
  });

  it('creates no new names after 500 names, but still returns the existing names', () => {
    const nameOf = createStatementNames();
    const names = Array.from({ length: 600 }, (_, n) => {
      const query = { sql: `SELECT ${n} AS a` };
      nameOf(query);
      return nameOf(query);
    });
    expect(names.filter((name) => name !== '')).toHaveLength(500);
    expect(nameOf({ sql: 'SELECT 0 AS a' })).toBe(names[0]);
  });
});
