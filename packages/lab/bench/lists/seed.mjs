import { readFileSync } from 'node:fs';

const SQL = readFileSync(new URL('./seed.sql', import.meta.url), 'utf8');

/** Of a company with so many issues: its agents and projects are those of a company, not of its age. */
export const sized = (issues, runs = issues) => ({
  issues,
  comments: issues * 10,
  runs,
  activities: issues * 10,
  agents: 1_000,
  projects: 50,
  days: 365,
});

/** Fills one company; answers the ids that the requests name. */
export async function seed(pool, size) {
  const client = await pool.connect();
  try {
    for (const statement of statementsOf(SQL)) {
      await client.query(statement.replace(/(?<!:):([a-z]+)\b/g, (_, name) => String(size[name])));
    }
  } finally {
    // Its settings and functions go with the session.
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
    // Of the issue that half of all comments stand at.
    comment: id(4, 5_000),
    goal: id(8, 1),
  };
}

/** The id of row `n` of a kind, as `seed.sql` makes it. */
export const id = (kind, n) => `00000000-0000-7000-8${kind}00-${n.toString(16).padStart(12, '0')}`;

/** Paragraphs; VACUUM has one of its own, since it runs in no transaction. */
const statementsOf = (sql) => sql.split(/;\n\n/);
