import type { Effects } from './context';
import { activityRoutes } from './features/activity/activities.routes';
import { agentRoutes } from './features/agents/agents.routes';
import { approvalRoutes } from './features/approvals/approvals.routes';
import { attachmentRoutes } from './features/attachments/attachments.routes';
import { companyRoutes } from './features/companies/companies.routes';
import { costRoutes } from './features/costs/costs.routes';
import { dashboardRoutes } from './features/dashboard/dashboard.routes';
import { documentRoutes } from './features/documents/documents.routes';
import { eventRoutes } from './features/events/events.routes';
import { goalRoutes } from './features/goals/goals.routes';
import { heartbeatRoutes } from './features/heartbeats/heartbeats.routes';
import { issueRoutes } from './features/issues/issues.routes';
import { memberRoutes } from './features/people/members.routes';
import { personRoutes } from './features/people/people.routes';
import { projectRoutes } from './features/projects/projects.routes';
import { workspaceRoutes } from './features/projects/workspaces.routes';
import { routineRoutes } from './features/routines/routines.routes';
import { secretRoutes } from './features/secrets/secrets.routes';
import type { OrchestrationRoute } from './pipeline';

/** The one route table; the application, the documents and the security tests are made from it. */
export function allRoutes(effects: Effects): OrchestrationRoute[] {
  return [
    ...companyRoutes(),
    ...goalRoutes(),
    ...projectRoutes(),
    ...workspaceRoutes(),
    ...agentRoutes(effects),
    ...approvalRoutes(effects),
    ...issueRoutes(effects),
    ...documentRoutes(),
    ...attachmentRoutes(effects),
    ...heartbeatRoutes(effects),
    ...activityRoutes(),
    ...eventRoutes(effects),
    ...dashboardRoutes(),
    ...costRoutes(),
    ...secretRoutes(effects),
    ...routineRoutes(effects),
    ...personRoutes(effects),
    ...memberRoutes(effects),
  ];
}
