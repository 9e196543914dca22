import type { Effects } from './context';
import { activityRoutes } from './features/activity/activities.routes';
import { agentRoutes } from './features/agents/agents.routes';
import { companyRoutes } from './features/companies/companies.routes';
import { dashboardRoutes } from './features/dashboard/dashboard.routes';
import { eventRoutes } from './features/events/events.routes';
import { heartbeatRoutes } from './features/heartbeats/heartbeats.routes';
import { issueRoutes } from './features/issues/issues.routes';
import type { OrchestrationRoute } from './pipeline';

/** The one route table; the application, the documents and the security tests are made from it. */
export function allRoutes(effects: Effects): OrchestrationRoute[] {
  return [
    ...companyRoutes(),
    ...agentRoutes(effects),
    ...issueRoutes(),
    ...heartbeatRoutes(effects),
    ...activityRoutes(),
    ...eventRoutes(effects),
    ...dashboardRoutes(),
  ];
}
