import { ask, type Database, inTransaction, statement } from '@switchyard/db';
import { lockCompanyWholly } from './lock-company';

interface Table {
  name: string;
  where?: string;
  batch?: number;
  hasFolders?: true;
}

/** Circular references; they are set to null before the rows are deleted. */
const CIRCLES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['company', ['logo_asset_id']],
  ['agent', ['reports_to']],
  ['goal', ['parent_id']],
  ['issue', ['parent_id', 'checkout_run_id', 'board_mention_comment_id']],
  ['heartbeat_run', ['retry_of_run_id']],
];

const ACCESS: readonly Table[] = [
  { name: 'personal_token' },
  { name: 'membership' },
  { name: 'invite' },
  { name: 'agent_key' },
  { name: 'runner_instance' },
  { name: 'runner' },
];

const DATA: readonly Table[] = [
  { name: 'delivery' },
  { name: 'endpoint' },
  { name: 'agent_month' },
  { name: 'company_month' },
  { name: 'cost_day' },
  { name: 'cost_scope_day' },
  { name: 'spend_cap' },
  { name: 'run_limit' },
  { name: 'agent_check' },
  { name: 'agent_last_check' },
  { name: 'agent_session' },
  { name: 'agent_self_wake' },
  { name: 'agent_config_revision' },
  { name: 'agent_wakeup' },
  { name: 'reservation' },
  { name: 'budget_pause' },
  { name: 'cost_event' },
  { name: 'routine_run', where: 'active_run_id IS NOT NULL' },
  { name: 'routine_run' },
  { name: 'routine_trigger', batch: 100 },
  { name: 'routine' },
  { name: 'approval_comment' },
  { name: 'approval_issue' },
  { name: 'approval' },
  { name: 'attachment' },
  { name: 'issue_document', batch: 100 },
  { name: 'issue_label' },
  { name: 'label' },
  { name: 'issue_blocker' },
  { name: 'issue_comment' },
  { name: 'heartbeat_run', batch: 100, hasFolders: true },
  { name: 'issue', batch: 250 },
  { name: 'project_goal' },
  { name: 'workspace' },
  { name: 'secret_version' },
  { name: 'secret' },
  { name: 'secret_key' },
  { name: 'project', hasFolders: true },
  { name: 'goal' },
  { name: 'agent' },
  { name: 'saved_view' },
  { name: 'hidden_inbox_item' },
  { name: 'idempotency_record' },
  { name: 'activity' },
];

const DERIVED: readonly Table[] = [
  { name: 'search_change' },
  { name: 'search_entry' },
  { name: 'status_change' },
  { name: 'status_tally' },
  { name: 'issue_tally_change' },
  { name: 'issue_tally' },
  { name: 'issue_counter' },
  { name: 'company_turn' },
  { name: 'company_text' },
];

const BATCH = 1_000;
const KEEP_FOLDERS = `, kept AS (
  INSERT INTO deleted_folder (id) SELECT id FROM erased ON CONFLICT DO NOTHING
)`;

export const ERASED = { circles: CIRCLES, access: ACCESS, data: DATA, derived: DERIVED };

const keyOf = (table: string) => (table === 'company' ? 'id' : 'company_id');

const someRows = (table: string, where: string, most: string) =>
  `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${most}))`;

const openCircles = CIRCLES.map(([table, columns]) =>
  statement(`open-circles-of-${table}`, {
    takes: { companyId: 'uuid', most: 'int' },
    gives: { n: 'int' },
    sql: ({ companyId, most }) => {
      const isSet = columns.map((column) => `${column} IS NOT NULL`).join(' OR ');
      const where = `${keyOf(table)} = ${companyId} AND (${isSet})`;
      return `
        WITH opened AS (
          UPDATE ${table} SET ${columns.map((column) => `${column} = NULL`).join(', ')}
          WHERE ${someRows(table, where, most)} RETURNING true
        )
        SELECT count(*)::int AS n FROM opened`;
    },
  }),
);

const eraseRows = new Map(
  [...ACCESS, ...DATA, ...DERIVED].map((table) => {
    const { name, where = 'true', hasFolders } = table;
    const erase = statement(`erase-${name}${table.where ? '-first' : ''}`, {
      takes: { companyId: 'uuid', most: 'int' },
      gives: { n: 'int' },
      sql: ({ companyId, most }) => `
        WITH erased AS (
          DELETE FROM ${name} WHERE ${someRows(name, `company_id = ${companyId} AND ${where}`, most)}
          RETURNING ${hasFolders ? 'id' : 'true'}
        ) ${hasFolders ? KEEP_FOLDERS : ''}
        SELECT count(*)::int AS n FROM erased`,
    });
    return [table, erase];
  }),
);

async function eraseTables(
  db: Database,
  companyId: string,
  tables: readonly Table[],
  isOver = () => false,
): Promise<void> {
  for (const table of tables) {
    const { name, batch = BATCH } = table;
    const erase = eraseRows.get(table);
    if (!erase) throw new Error(`no statement erases ${name}`);
    for (let n = 1; n > 0 && !isOver(); ) {
      const [erased] = await ask(db, erase, { companyId, most: batch });
      n = erased?.n ?? 0;
    }
  }
}

export async function eraseAccess(db: Database, companyId: string): Promise<void> {
  await eraseTables(db, companyId, ACCESS);
}

/**
 * Deletes in short statements that commit separately: a transaction of minutes would hold back the
 * event streams of all companies.
 */
export async function eraseData(
  db: Database,
  companyId: string,
  isOver: () => boolean,
): Promise<void> {
  for (const open of openCircles) {
    for (let n = 1; n > 0 && !isOver(); ) {
      const [opened] = await ask(db, open, { companyId, most: BATCH });
      n = opened?.n ?? 0;
    }
  }
  await eraseTables(db, companyId, [...ACCESS, ...DATA], isOver);
}

export async function eraseCompany(
  db: Database,
  companyId: string,
  isOver: () => boolean,
): Promise<void> {
  await eraseTables(db, companyId, DERIVED, isOver);
  if (isOver()) return;
  await inTransaction(db, async (tx) => {
    await lockCompanyWholly(tx, companyId);
    await ask(tx, lockSearch, { companyId });
    await eraseTables(tx, companyId, DERIVED);
    await ask(tx, deleteRow, { companyId });
    await ask(tx, markErased, { companyId });
  });
}

/**
 * Takes the lock of features/search/fold-search-changes.ts. Without this lock, that job would
 * insert deleted rows again.
 */
const lockSearch = statement('lock-search-to-erase', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    SELECT FROM (SELECT pg_advisory_xact_lock(hashtextextended('search of ' || ${companyId}::text, 0))) held`,
});

const deleteRow = statement('delete-company', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `DELETE FROM company WHERE id = ${companyId}`,
});

const markErased = statement('mark-company-erased', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `UPDATE deleted_company SET erased_at = now() WHERE id = ${companyId}`,
});
