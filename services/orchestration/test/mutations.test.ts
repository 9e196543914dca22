import type supertest from 'supertest';
import { allRoutes } from '../src/routes';
import { useAuthenticatedHarness } from './authenticated-harness';
import { AUTHENTICATED_CALLS } from './authenticated-mutations';
import { type Harness, useHarness } from './harness';
import { READING, VALID_CALLS, WITHOUT_COMPANY } from './mutations';

const RECORDED = `
  SELECT action, actor_type, company_id, transaction_id::text AS transaction FROM activity
  WHERE sequence > $1 ORDER BY sequence`;

interface Recorded {
  action: string;
  actor_type: string;
  company_id: string;
  transaction: string;
}

/** Makes one valid call and looks at the records of it. */
async function expectRecorded(
  { context }: Pick<Harness, 'context'>,
  name: string,
  call: () => supertest.Test,
): Promise<void> {
  const { pool } = context.db;
  const last = await pool.query('SELECT coalesce(max(sequence), 0) AS sequence FROM activity');
  const answer = await call();
  const succeeded = answer.status >= 200 && answer.status < 300;
  expect({ name, succeeded, body: answer.body }).toMatchObject({ succeeded: true });

  const { rows } = await pool.query<Recorded>(RECORDED, [last.rows[0].sequence]);
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map((row) => row.transaction)).size).toBe(1);
  expect(new Set(rows.map((row) => row.company_id)).size).toBe(1);
  const { companyId } = answer.body;
  if (companyId) expect(rows[0]?.company_id).toBe(companyId);
  for (const row of rows) {
    expect(row.action).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(['agent', 'user', 'system', 'webhook']).toContain(row.actor_type);
  }
}

describe('every route that changes something', () => {
  const harness = useHarness();
  const authenticated = useAuthenticatedHarness();

  const mutations = () =>
    allRoutes
      // What runners do is recorded as their runs'.
      .filter((route) => route.method !== 'GET' && route.access !== 'runner')
      .map((route) => `${route.method} ${route.path}`);

  it('has a valid call in test/mutations.ts, and nothing else has one', () => {
    const others = [...WITHOUT_COMPANY, ...READING];
    const recorded = mutations().filter((route) => !others.includes(route));
    const called = [...Object.keys(VALID_CALLS), ...Object.keys(AUTHENTICATED_CALLS)];
    expect(called.sort()).toEqual(recorded.sort());
  });

  it.each(Object.entries(VALID_CALLS))(
    '%s records itself, in one transaction of its own company',
    async (name, prepare) => expectRecorded(harness, name, await prepare(harness)),
  );

  it.each(Object.entries(AUTHENTICATED_CALLS))(
    '%s records itself, in one transaction of its own company',
    async (name, prepare) => expectRecorded(authenticated, name, await prepare(authenticated)),
  );
});
