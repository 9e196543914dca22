import type { Harness } from './harness';

export const WITHOUT_COMPANY = ['POST /api/auth/bootstrap'];

export const READING = [
  'POST /api/auth/provider',
  'POST /api/auth/device',
  'POST /api/issues/:issueId/comments/preview',
];

interface ActivityRecord {
  action: string;
  actor_type: string;
  company_id: string;
  transaction: string;
}

const RECORDED = `
  SELECT action, actor_type, company_id, transaction_id::text AS transaction FROM activity
  WHERE sequence > $1 ORDER BY sequence`;

export async function recordsOf({ context }: Pick<Harness, 'context'>) {
  const { pool } = context.db;
  const last = await pool.query('SELECT coalesce(max(sequence), 0) AS sequence FROM activity');
  return async () => (await pool.query<ActivityRecord>(RECORDED, [last.rows[0].sequence])).rows;
}

export function expectRecords(records: ActivityRecord[], body: unknown): void {
  expect(records.length).toBeGreaterThan(0);
  expect(new Set(records.map((row) => row.transaction)).size).toBe(1);
  expect(new Set(records.map((row) => row.company_id)).size).toBe(1);
  const { companyId } = Object(body) as { companyId?: string };
  if (companyId) expect(records[0]?.company_id).toBe(companyId);
  for (const row of records) {
    expect(row.action).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(['agent', 'user', 'system', 'webhook']).toContain(row.actor_type);
  }
}
