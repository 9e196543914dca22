import type { Harness } from './harness';

const HOUR = 3_600_000;
const OPEN_RUNS = ['queued', 'running'];

type Rows = Awaited<ReturnType<typeof readCompany>>;
type Issue = Rows['issues'][number];
type Agent = Rows['agents'][number];
type Run = Rows['runs'][number];

/**
 * Reference implementation of the inbox's statement in plain code: decides row by row what needs a
 * person. Shares only the texts with the statement.
 */
export async function needsOf(db: Harness['db'], companyId: string, userId: string) {
  const rows = await readCompany(db, companyId);
  if (rows.company.status === 'archived') return [];
  const needs: string[] = [];
  for (const approval of rows.approvals) {
    if (approval.status !== 'pending') continue;
    const kind = approval.type === 'board_question' ? 'question' : 'approval';
    needs.push(`${kind}:${approval.id}`);
  }
  for (const agent of rows.agents) needs.push(...needsOfAgent(rows, agent));
  for (const issue of rows.issues) needs.push(...needsOfIssue(rows, issue, userId));
  for (const run of rows.runs) if (isLost(rows, run)) needs.push(`failed_run:${run.id}`);
  for (const routine of rows.routines) needs.push(...needsOfRoutine(rows, routine));
  const { budgetMonthlyCents: budget } = rows.company;
  const level = levelOf(companySpend(rows), Number(budget));
  if (level) needs.push(`${level}:${companyId}`);
  if (rows.company.status === 'paused') needs.push(`company_paused:${companyId}`);
  return needs.sort();
}

async function readCompany(db: Harness['db'], companyId: string) {
  const where = { where: { companyId } };
  const [clock] = await db.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  const now = clock?.now.getTime() ?? 0;
  const month = new Date(now).toISOString().slice(0, 7);
  const months = await db.agentMonth.findMany(where);
  return {
    now,
    company: await db.company.findUniqueOrThrow({ where: { id: companyId } }),
    agents: await db.agent.findMany(where),
    issues: await db.issue.findMany(where),
    blockers: await db.issueBlocker.findMany(where),
    runs: await db.heartbeatRun.findMany({
      ...where,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
    wakeups: await db.agentWakeup.findMany({ where: { companyId, status: 'pending' } }),
    approvals: await db.approval.findMany({ ...where, include: { issues: true } }),
    routines: await db.routine.findMany({ ...where, include: { triggers: true, runs: true } }),
    months: months.filter((row) => row.month.toISOString().startsWith(month)),
    checks: await db.agentLastCheck.findMany(where),
    secrets: await db.secret.findMany(where),
  };
}

function needsOfAgent(rows: Rows, agent: Agent): string[] {
  if (agent.status === 'terminated' || agent.status === 'pending_approval') return [];
  const needs: string[] = [];
  const spent = spendOf(rows, agent.id);
  const level = levelOf(spent, Number(agent.budgetMonthlyCents));
  if (level) needs.push(`${level}:${agent.id}`);
  if (agent.status === 'paused' && level !== 'budget_spent') {
    const hasWork = rows.issues.some(
      (issue) =>
        issue.assigneeAgentId === agent.id && ['todo', 'in_progress'].includes(issue.status),
    );
    if (agent.pauseReason === 'failures') needs.push(`agent_stopped:${agent.id}`);
    if (agent.pauseReason === 'manual' && hasWork) needs.push(`agent_paused:${agent.id}`);
  }
  if (canStart(rows, agent) && !isAwake(rows, agent)) {
    const waits = rows.issues.some(
      (issue) =>
        issue.assigneeAgentId === agent.id &&
        issue.status === 'todo' &&
        !isElsewhere(rows, issue) &&
        !isMovedByOthers(rows, issue),
    );
    if (waits) needs.push(`agent_idle:${agent.id}`);
  }
  const check = rows.checks.find(({ agentId }) => agentId === agent.id);
  if (check && (check.errors as unknown[]).length > 0) {
    const works = rows.runs.some(
      (run) =>
        run.agentId === agent.id && run.status === 'succeeded' && run.createdAt > check.checkedAt,
    );
    const saysSo =
      needs.includes(`agent_stopped:${agent.id}`) ||
      rows.runs.some((run) => run.agentId === agent.id && isLost(rows, run));
    if (!works && !saysSo) needs.push(`check_failed:${agent.id}`);
  }
  const env = ((agent.adapterConfig as { env?: object }).env ?? {}) as Record<string, unknown>;
  const isMissing = Object.values(env).some((value) => {
    const reference = value as { type?: string; secretId?: string };
    if (reference?.type !== 'secret_ref') return false;
    return !rows.secrets.some(({ id }) => id === reference.secretId);
  });
  if (isMissing) needs.push(`secret_missing:${agent.id}`);
  return needs;
}

function needsOfIssue(rows: Rows, issue: Issue, userId: string): string[] {
  const { id, status } = issue;
  const agent = rows.agents.find((one) => one.id === issue.assigneeAgentId);
  const isAgentGone = !agent || ['terminated', 'pending_approval'].includes(agent.status);
  const waits = isMovedByOthers(rows, issue);
  const isBlocked = status === 'blocked' && !waits && !isElsewhere(rows, issue);
  const needs: string[] = [];
  if (isBlocked) needs.push(`blocked_issue:${id}`);
  else if (issue.boardMentionCommentId) needs.push(`mention:${id}`);
  if (status === 'in_review' && !isElsewhere(rows, issue)) needs.push(`issue_review:${id}`);
  if (issue.assigneeUserId === userId && ['todo', 'in_progress'].includes(status) && !waits) {
    needs.push(`own_issue:${id}`);
  }
  if (status !== 'in_progress' || issue.assigneeUserId || waits || isElsewhere(rows, issue)) {
    return needs;
  }
  if (rows.company.status !== 'active') return needs;
  if (isAgentGone) needs.push(`stuck_issue:${id}`);
  else if (canStart(rows, agent)) {
    if (!isAwake(rows, agent)) needs.push(`stuck_issue:${id}`);
    else if (rows.now - issue.updatedAt.getTime() > 24 * HOUR) needs.push(`stale_issue:${id}`);
  }
  return needs;
}

function isLost(rows: Rows, run: Run): boolean {
  if (run.status !== 'failed' && run.status !== 'timed_out') return false;
  if (rows.now - run.createdAt.getTime() >= 14 * 24 * HOUR) return false;
  const agent = rows.agents.find(({ id }) => id === run.agentId);
  if (!agent || !canStart(rows, agent)) return false;
  const issue = rows.issues.find(({ id }) => id === run.issueId);
  if (issue && ['done', 'cancelled'].includes(issue.status)) return false;
  const later = rows.runs.slice(rows.runs.indexOf(run) + 1);
  return !later.some(
    (one) =>
      one.agentId === run.agentId &&
      (run.issueId === null || one.issueId === run.issueId || servesMerged(one, run.issueId)),
  );
}

const wakesOf = ({ wakeReasons }: Run) => wakeReasons as { issueId: string | null }[];

const servesMerged = (run: Run, issueId: string) =>
  wakesOf(run).length > 1 && wakesOf(run).some((wake) => wake.issueId === issueId);

function needsOfRoutine(rows: Rows, routine: Rows['routines'][number]): string[] {
  if (routine.status === 'archived') return [];
  const agent = rows.agents.find(({ id }) => id === routine.assigneeAgentId);
  if (agent?.status === 'terminated') return [`routine_stopped:${routine.id}`];
  if (routine.status !== 'active') return [];
  const failing = routine.triggers.filter((one) => one.enabled && one.failureReason !== null);
  if (failing.some((one) => one.kind === 'schedule' && one.nextRunAt === null)) {
    return [`routine_stopped:${routine.id}`];
  }
  if (rows.company.status !== 'active') return [];
  const [last] = routine.runs.sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  const hasFailed = failing.length > 0 || last?.status === 'failed';
  return hasFailed ? [`routine_failed:${routine.id}`] : [];
}

const spendOf = (rows: Rows, agentId: string) =>
  Number(rows.months.find((month) => month.agentId === agentId)?.costCents ?? 0);

const companySpend = (rows: Rows) =>
  rows.months.reduce((sum, month) => sum + Number(month.costCents), 0);

function levelOf(spend: number, budget: number): 'budget_spent' | 'budget_near' | null {
  if (budget === 0 || spend / budget < 0.8) return null;
  return spend >= budget ? 'budget_spent' : 'budget_near';
}

function canStart(rows: Rows, agent: Agent): boolean {
  const { company } = rows;
  if (company.status !== 'active') return false;
  if (levelOf(companySpend(rows), Number(company.budgetMonthlyCents)) === 'budget_spent') {
    return false;
  }
  if (levelOf(spendOf(rows, agent.id), Number(agent.budgetMonthlyCents)) === 'budget_spent') {
    return false;
  }
  if (['terminated', 'pending_approval'].includes(agent.status)) return false;
  return agent.status !== 'paused' || agent.pauseReason === 'budget';
}

function isAwake(rows: Rows, agent: Agent): boolean {
  const isOfAgent = ({ agentId }: { agentId: string }) => agentId === agent.id;
  if (rows.runs.some((run) => isOfAgent(run) && OPEN_RUNS.includes(run.status))) return true;
  if (rows.wakeups.some(isOfAgent)) return true;
  return rows.routines.some(
    (routine) =>
      routine.assigneeAgentId === agent.id &&
      routine.status === 'active' &&
      routine.triggers.some(
        ({ nextRunAt }) => nextRunAt !== null && nextRunAt.getTime() < rows.now + 24 * HOUR,
      ),
  );
}

function isElsewhere(rows: Rows, issue: Issue): boolean {
  const isServed = rows.runs.some(
    (run) =>
      OPEN_RUNS.includes(run.status) &&
      (run.issueId === issue.id ||
        run.id === issue.checkoutRunId ||
        wakesOf(run).some((wake) => wake.issueId === issue.id)),
  );
  if (isServed || rows.wakeups.some(({ issueId }) => issueId === issue.id)) return true;
  if (rows.runs.some((run) => run.issueId === issue.id && isLost(rows, run))) return true;
  if (issue.boardMentionCommentId && issue.status !== 'blocked') return true;
  return rows.approvals.some(
    ({ status, issues }) =>
      status === 'pending' && issues.some(({ issueId }) => issueId === issue.id),
  );
}

function isMovedByOthers(rows: Rows, issue: Issue): boolean {
  const isUnderWay = (other: Issue | undefined) =>
    other !== undefined && !['backlog', 'done', 'cancelled'].includes(other.status);
  if (rows.issues.some((other) => other.parentId === issue.id && isUnderWay(other))) return true;
  return rows.blockers.some(
    ({ issueId, blockerId }) =>
      issueId === issue.id && isUnderWay(rows.issues.find(({ id }) => id === blockerId)),
  );
}
