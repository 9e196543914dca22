import { readRepository } from './read-repository';
import { featureEdges } from './source-rules';
import {
  circleByWrites,
  filesOfTwoWays,
  foreignWrites,
  fullFolders,
  idleOwners,
  irregularRoutes,
  ownClocks,
  repeatedLists,
  tablesOf,
  tablesOfTwoWays,
  tableWrites,
} from './verb-rules';

/**
 * Files that may write each table: first its owner, then code that moves or removes rows of the
 * whole installation.
 */
const OWNERS: Record<string, readonly string[]> = {
  activity: [
    'kernel/activity.ts',
    'features/activity/prune-activity.ts',
    'features/events/rebase-positions.ts',
  ],
  adapter_probe: ['features/checks/'],
  agent: ['state/agents/'],
  agent_check: ['features/checks/'],
  agent_config_revision: ['state/agents/'],
  agent_key: ['state/agents/'],
  agent_last_check: ['features/checks/'],
  agent_month: ['state/costs/'],
  agent_self_wake: ['state/routines/'],
  agent_session: ['state/runs/'],
  agent_wakeup: ['state/wakeups/', 'state/runs/halt-runs.ts'],
  approval: ['state/approvals/'],
  approval_comment: ['state/approvals/'],
  approval_issue: ['state/approvals/'],
  asset: ['features/attachments/'],
  attachment: ['features/attachments/'],
  bootstrap_token: ['features/people/'],
  budget_pause: ['state/costs/', 'state/budgets/pause-run.ts'],
  company: ['state/companies/', 'features/attachments/storage/stored-bytes.ts'],
  company_month: ['state/costs/', 'state/budgets/budget-stop.ts'],
  cost_event: ['state/costs/'],
  deleted_company: ['state/companies/'],
  deleted_folder: ['state/companies/'],
  delivery: ['state/deliveries/'],
  document_revision: ['features/documents/'],
  endpoint: ['features/webhooks/', 'state/deliveries/'],
  goal: ['features/goals/'],
  heartbeat_run: ['state/runs/', 'state/costs/'],
  hidden_inbox_item: ['features/inbox/'],
  idempotency_record: ['access/'],
  invite: ['features/people/'],
  issue: ['state/issues/', 'state/runs/ending.ts'],
  issue_blocker: ['state/issues/'],
  issue_comment: ['state/issues/'],
  issue_counter: ['state/issues/'],
  issue_document: ['features/documents/'],
  issue_tally: ['features/dashboard/'],
  issue_tally_change: ['features/dashboard/'],
  issue_label: ['state/labels/'],
  label: ['state/labels/'],
  last_backup: ['backup/'],
  membership: ['features/people/', 'state/companies/found-company.ts'],
  person: ['features/people/'],
  personal_token: ['features/people/', 'access/personal-tokens.ts'],
  project: ['features/projects/'],
  project_goal: ['features/projects/'],
  reservation: ['state/costs/'],
  routine: ['state/routines/'],
  routine_run: ['state/routines/'],
  routine_trigger: ['state/routines/'],
  run_log_chunk: ['state/runs/'],
  company_turn: ['state/runs/'],
  runner: ['state/runners/'],
  runner_instance: ['state/runners/'],
  run_limit: ['features/runs/'],
  saved_view: ['features/saved-views/'],
  secret: ['features/secrets/'],
  secret_key: ['features/secrets/'],
  secret_version: ['features/secrets/'],
  search_change: ['features/search/'],
  search_entry: ['features/search/'],
  session: ['features/people/', 'access/'],
  spend_cap: ['features/costs/'],
  status_change: ['features/dashboard/'],
  status_tally: ['features/dashboard/'],
  webhook_signature: ['state/routines/'],
  workspace: ['features/projects/'],
};

const OF_TRIGGERS = ['company_text', 'cost_day', 'cost_scope_day'];

const DOCUMENT_ROUTES = /^http\/(?:openapi\/docs|guide\/guide)\.routes\.ts/;

const OWN_CLOCKS: Record<string, string> = {
  'http/app.ts': 'tells the time of a probe',
  'backup/back-up.ts': 'names the time of a backup, of two databases',
};

/** Existing exceptions to the rules; lines may only be removed. */
const UNFINISHED = {
  // These routes take a word as the last path segment, and a body as bytes.
  routes: /^features\/(?:approvals\/approvals|routines\/routines)\.routes\.ts/,
  writes: ['features/runs/claim/leases.ts writes heartbeat_run'],
  clocks: ['features/routines/schedule/next-run-at.ts', 'state/runs/admission.ts'],
  filesOfTwoWays: [
    'features/agents/agents.ts',
    'features/agents/assert-manager.ts',
    'features/documents/list-revisions.ts',
    'features/documents/put-document.ts',
    'features/goals/update-goal.ts',
    'features/people/administration.ts',
    'features/people/first-person.ts',
    'features/people/members/accept-invite.ts',
    'features/people/members/invites.ts',
    'features/projects/project-rows.ts',
    'features/secrets/delete-secret.ts',
    'features/secrets/store-version.ts',
    'features/secrets/update-secret.ts',
    'state/companies/found-company.ts',
  ],
};

const FOLDER = 'services/orchestration/src/';
const planted = (path: string, text: string) => [{ path: `${FOLDER}${path}`, text }];

describe('the functions that routes call', () => {
  const files = readRepository();
  const tables = Object.keys(OWNERS);

  it('receive their arguments in one order: the call, the ids, then the body or query', () => {
    const irregular = irregularRoutes(files).filter((one) => !DOCUMENT_ROUTES.test(one));
    expect(irregular.filter((one) => !UNFINISHED.routes.test(one))).toEqual([]);
    const handlers = (handle: string) =>
      irregularRoutes(planted('features/x/x.routes.ts', `route({ handle: ${handle},\n})`));
    for (const good of [
      '(call) => listX(call)',
      '(call) => readX(call, call.params.xId, call.query)',
      '(call) =>\n  writeX(\n    call,\n    call.params.xId,\n    call.body,\n  )',
      '(call, prepared) => writeX(call, call.params.xId, prepared)',
    ]) {
      expect(handlers(good)).toEqual([]);
    }
    for (const bad of [
      '(call) => readX(call.db, call.params.xId)',
      '(call) => writeX(call, call.body.name)',
      '(call) => writeX(call, call.body, call.params.xId)',
      '({ params }) => readX(params.xId)',
      '(call) => {\n  return readX(call);\n}',
    ]) {
      expect(handlers(bad)).toHaveLength(1);
    }
  });

  it('write only tables that their folder owns, and cause no cycle between features', () => {
    expect(tablesOf(files)).toEqual([...tables, ...OF_TRIGGERS].sort());
    const writes = tableWrites(files, tables);
    expect(new Set(writes.map(({ table }) => table))).toEqual(new Set(tables));
    expect(idleOwners(writes, OWNERS)).toEqual([]);
    expect(idleOwners(writes, { issue: ['state/issues/', 'state/labels/'] })).toEqual([
      'issue: state/labels/',
    ]);
    const foreign = foreignWrites(writes, OWNERS);
    expect(UNFINISHED.writes.filter((one) => !foreign.includes(one))).toEqual([]);
    expect(foreign.filter((one) => !UNFINISHED.writes.includes(one))).toEqual([]);
    expect(circleByWrites(featureEdges(files), writes, OWNERS)).toBeNull();

    const written = (text: string) =>
      foreignWrites(tableWrites(planted('a.ts', text), tables), OWNERS);
    for (const text of [
      'INSERT INTO issue (id) VALUES ($1)',
      'UPDATE "issue" SET title = 1',
      'DELETE FROM issue',
      'await tx.prisma.issue.update({})',
      'await tx.prisma\n  .issue.createManyAndReturn({})',
    ]) {
      expect(written(text)).toEqual(['a.ts writes issue']);
    }
    expect(written('SELECT 1 FROM issue FOR NO KEY UPDATE; prisma.issue.findMany({})')).toEqual([]);
    const goals = planted('features/projects/a.ts', 'UPDATE goal SET title = 1');
    const back = [{ from: 'goals', to: 'projects' }];
    expect(circleByWrites(back, tableWrites(goals, tables), OWNERS)).toEqual([
      'goals',
      'projects',
      'goals',
    ]);
  });

  it('use either SQL or Prisma to write a table, and only one of the two per file', () => {
    expect(tablesOfTwoWays(files, tables)).toEqual([]);
    expect(filesOfTwoWays(files)).toEqual(UNFINISHED.filesOfTwoWays);
    const sql = planted('a.ts', "statement('x', { sql: () => `UPDATE goal SET title = 1` })");
    const prisma = planted('b.ts', 'await tx.prisma.goal.update({})');
    expect(tablesOfTwoWays([...sql, ...prisma], tables)).toEqual(['goal']);
    expect(filesOfTwoWays([...sql, ...prisma])).toEqual([]);
    const [one, other] = [sql[0]?.text, prisma[0]?.text];
    expect(filesOfTwoWays(planted('c.ts', `${one}; ${other}`))).toEqual(['c.ts']);
  });

  it('contain no SQL list of statuses that another file repeats', () => {
    expect(repeatedLists(files)).toEqual([]);
    const one = planted('a.ts', "r.status IN ('queued', 'running')");
    const other = planted('b.ts', "status NOT IN ('running', 'queued')");
    expect(repeatedLists([...one, ...other])).toEqual(["'queued', 'running': a.ts, b.ts"]);
    expect(repeatedLists([...one, ...planted('b.ts', "IN ('queued')")])).toEqual([]);
  });

  it('belong to folders with at most 15 files each', () => {
    expect(fullFolders(files)).toEqual([]);
    const many = Array.from({ length: 16 }, (_, at) => planted(`a/${at}.ts`, '')).flat();
    expect(fullFolders(many)).toEqual([`${FOLDER}a`]);
    expect(fullFolders([...many.slice(1), ...planted('a/a.test.ts', '')])).toEqual([]);
  });

  it('use the clock of the database or of the context', () => {
    const reading = ownClocks(files);
    const listed = [...Object.keys(OWN_CLOCKS), ...UNFINISHED.clocks];
    expect(listed.filter((path) => !reading.includes(path))).toEqual([]);
    const found = reading.filter((path) => !OWN_CLOCKS[path]);
    expect(found.filter((path) => !UNFINISHED.clocks.includes(path))).toEqual([]);
    expect(ownClocks(files, 'packages/runner/src/')).toEqual([
      'agent-folders/prune-folders.ts',
      'repositories/access/ssh-access.ts',
    ]);
    expect(ownClocks(planted('a.ts', 'const now = new Date();'))).toEqual(['a.ts']);
    expect(ownClocks(planted('a.ts', 'Date.now()'))).toEqual(['a.ts']);
    expect(ownClocks(planted('a.ts', 'new Date(row.at)'))).toEqual([]);
  });
});
