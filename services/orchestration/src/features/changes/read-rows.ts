import type { Database } from '@switchyard/db';
import type { ChangedEntityType, ChangedRow, ListedRunView } from '@switchyard/types';
import { readAgentRows } from '../agents/agents';
import { readApprovalRows } from '../approvals/list-approvals';
import { getCompany } from '../companies/companies';
import { readGoalRows } from '../goals/goals';
import { readIssueRows } from '../issues/list-issues';
import { readProjectRows } from '../projects/projects';
import { readRoutineRows } from '../routines/list-routines';
import { readRunRows } from '../runs/listed-run';
import type { Touched } from './touched';

export async function readRows(
  db: Database,
  companyId: string,
  touched: Touched,
): Promise<ChangedRow[]> {
  const read = async ([entityType, ids]: [ChangedEntityType, Set<string>]) => {
    const rows = await READERS[entityType](db, companyId, [...ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return [...ids].map((entityId) => ({ entityType, entityId, row: byId.get(entityId) ?? null }));
  };
  return (await Promise.all([...touched].map(read))).flat() as ChangedRow[];
}

export async function readRowsWithIssues(
  db: Database,
  companyId: string,
  touched: Touched,
): Promise<ChangedRow[]> {
  const runs = touched.get('heartbeat_run');
  if (!runs) return readRows(db, companyId, touched);
  const found = await readRows(db, companyId, new Map([['heartbeat_run', runs]]));
  const issues = new Set([...(touched.get('issue') ?? []), ...issuesOf(found)]);
  const others = new Map(touched);
  others.delete('heartbeat_run');
  if (issues.size > 0) others.set('issue', issues);
  return [...found, ...(await readRows(db, companyId, others))];
}

const issuesOf = (rows: ChangedRow[]) =>
  rows.flatMap(({ row }) => (row as ListedRunView | null)?.issueId ?? []);

type Reader = (db: Database, companyId: string, ids: string[]) => Promise<{ id: string }[]>;

const READERS: Record<ChangedEntityType, Reader> = {
  agent: readAgentRows,
  approval: readApprovalRows,
  company: async (db, companyId, ids) =>
    ids.includes(companyId) ? [await getCompany({ db, companyId })] : [],
  goal: readGoalRows,
  heartbeat_run: readRunRows,
  issue: readIssueRows,
  project: readProjectRows,
  routine: readRoutineRows,
};
