import { buildSide } from '../world';
import type { useConsole } from './use-console';

export const COMPANY_PAGES = [
  '',
  '/overview',
  '/issues',
  '/issues?view=board',
  '/issues/:issue',
  '/runs',
  '/runs/:runId',
  '/agents',
  '/agents/:agentId',
  '/org',
  '/routines',
  '/routines/:routineId',
  '/approvals',
  '/approvals/:approvalId',
  '/goals',
  '/goals/:goalId',
  '/projects',
  '/projects/:projectId',
  '/costs',
  '/secrets',
  '/activity',
  '/settings',
  '/settings/danger',
  '/settings/runners',
  '/settings/webhooks',
];

type Ids = Record<string, string>;

export function useCompanyPages(
  console: ReturnType<typeof useConsole>,
  change: (ids: Ids) => Promise<void> = async () => undefined,
): (path: string) => string {
  const ids: Ids = {};
  let prefix = '';
  beforeAll(async () => {
    const side = await buildSide(console.harness);
    Object.assign(ids, side.ids);
    await change(ids);
    const { api } = console.harness;
    const { body: company } = await api.get(`/api/companies/${ids.companyId}`).expect(200);
    const { body: issue } = await api.get(`/api/issues/${ids.issueId}`).expect(200);
    prefix = company.issuePrefix;
    ids.issue = issue.identifier;
  });
  return (path) => `/${prefix}${path.replace(/:(\w+)/g, (_, name: string) => ids[name] as string)}`;
}
