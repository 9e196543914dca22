import { readFileSync } from 'node:fs';

const SQL = readFileSync(new URL('./seed.sql', import.meta.url), 'utf8');

export const sized = (issues, runs = issues) => ({
  issues,
  comments: issues * 10,
  runs,
  activities: issues * 10,
  agents: 1_000,
  projects: 50,
  days: 365,
});

export async function seed(pool, size) {
  const client = await pool.connect();
  try {
    for (const statement of statementsOf(SQL)) {
      await client.query(statement.replace(/(?<!:):([a-z]+)\b/g, (_, name) => String(size[name])));
    }
  } finally {
    client.release(true);
  }
  return {
    company: id(0, 1),
    bigAgent: id(1, 1),
    smallAgent: id(1, 77),
    agent: (n) => id(1, n),
    bigProject: id(2, 1),
    smallProject: id(2, 7),
    issue: id(3, 1),
    comment: id(4, 5_000),
    goal: id(8, 1),
  };
}

export const id = (kind, n) => `00000000-0000-7000-8${kind}00-${n.toString(16).padStart(12, '0')}`;

const statementsOf = (sql) => sql.split(/;\n\n/);
