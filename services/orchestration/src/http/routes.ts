import { activityRoutes } from '../features/activity/activities.routes';
import { agentRoutes } from '../features/agents/agents.routes';
import { approvalRoutes } from '../features/approvals/approvals.routes';
import { attachmentRoutes } from '../features/attachments/attachments.routes';
import { changeRoutes } from '../features/changes/changes.routes';
import { checkRoutes } from '../features/checks/checks.routes';
import { companyRoutes } from '../features/companies/companies.routes';
import { companyFileRoutes } from '../features/company-files/company-files.routes';
import { spendCapRoutes } from '../features/costs/caps/spend-caps.routes';
import { costRoutes } from '../features/costs/costs.routes';
import { dashboardRoutes } from '../features/dashboard/dashboard.routes';
import { documentRoutes } from '../features/documents/documents.routes';
import { eventRoutes } from '../features/events/events.routes';
import { goalRoutes } from '../features/goals/goals.routes';
import { inboxRoutes } from '../features/inbox/inbox.routes';
import { issueRoutes } from '../features/issues/issues.routes';
import { labelRoutes } from '../features/labels/labels.routes';
import { memberRoutes } from '../features/people/members/members.routes';
import { personRoutes } from '../features/people/people.routes';
import { tokenRoutes } from '../features/people/tokens/tokens.routes';
import { projectRoutes } from '../features/projects/projects.routes';
import { workspaceRoutes } from '../features/projects/workspaces.routes';
import { routineRoutes } from '../features/routines/routines.routes';
import { protocolRoutes } from '../features/runners/protocol.routes';
import { runnerRoutes } from '../features/runners/registration/runners.routes';
import { runLimitRoutes } from '../features/runs/limits/run-limits.routes';
import { heartbeatRoutes } from '../features/runs/runs.routes';
import { savedViewRoutes } from '../features/saved-views/saved-views.routes';
import { searchRoutes } from '../features/search/search.routes';
import { secretRoutes } from '../features/secrets/secrets.routes';
import { threadRoutes } from '../features/threads/threads.routes';
import { webhookRoutes } from '../features/webhooks/webhooks.routes';
import type { OrchestrationRoute } from '../route';
import { guideRoutes } from './guide/guide.routes';
import { docsRoutes } from './openapi/docs.routes';

const tagged = (tag: string, routes: OrchestrationRoute[]): OrchestrationRoute[] =>
  routes.map((route) => ({ ...route, tag }));

export const allRoutes: readonly OrchestrationRoute[] = [
  ...tagged('Companies', companyRoutes),
  ...tagged('Companies', companyFileRoutes),
  ...tagged('Goals', goalRoutes),
  ...tagged('Projects', projectRoutes),
  ...tagged('Projects', workspaceRoutes),
  ...tagged('Agents', agentRoutes),
  ...tagged('Agents', checkRoutes),
  ...tagged('Approvals', approvalRoutes),
  ...tagged('Issues', issueRoutes),
  ...tagged('Issues', threadRoutes),
  ...tagged('Issues', labelRoutes),
  ...tagged('Search', searchRoutes),
  ...tagged('Documents', documentRoutes),
  ...tagged('Attachments', attachmentRoutes),
  ...tagged('Heartbeat runs', heartbeatRoutes),
  ...tagged('Heartbeat runs', runLimitRoutes),
  ...tagged('Runner', runnerRoutes),
  ...tagged('Runner', protocolRoutes),
  ...tagged('Activity', activityRoutes),
  ...tagged('Activity', eventRoutes),
  ...tagged('Activity', changeRoutes),
  ...tagged('Webhooks', webhookRoutes),
  ...tagged('Companies', dashboardRoutes),
  ...tagged('Inbox', inboxRoutes),
  ...tagged('Saved views', savedViewRoutes),
  ...tagged('Costs', costRoutes),
  ...tagged('Costs', spendCapRoutes),
  ...tagged('Secrets', secretRoutes),
  ...tagged('Routines', routineRoutes),
  ...tagged('People', personRoutes),
  ...tagged('People', tokenRoutes),
  ...tagged('People', memberRoutes),
  ...tagged(
    'Documentation',
    docsRoutes(() => allRoutes),
  ),
  ...tagged(
    'Documentation',
    guideRoutes(() => allRoutes),
  ),
];
