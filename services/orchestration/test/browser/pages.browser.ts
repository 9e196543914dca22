import { buildSide } from '../world';
import { lookAt, useConsole } from './use-console';

const PAGES = [
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
  '/projects',
  '/projects/:projectId',
  '/costs',
  '/secrets',
  '/people',
  '/activity',
  '/search?q=issue',
  '/settings',
];

describe('every page, in both themes, wide and narrow', () => {
  const console = useConsole();
  const ids: Record<string, string> = {};
  let prefix = '';

  beforeAll(async () => {
    const side = await buildSide(console.harness);
    Object.assign(ids, side.ids);
    const { api } = console.harness;
    const { body: company } = await api.get(`/api/companies/${ids.companyId}`).expect(200);
    const { body: issue } = await api.get(`/api/issues/${ids.issueId}`).expect(200);
    prefix = company.issuePrefix;
    ids.issue = issue.identifier;
  });

  it.each(PAGES)(
    'is clean at %p',
    async (path) => {
      const address = path.replace(/:(\w+)/g, (_, name: string) => ids[name] as string);
      expect(await lookAt(console, `/${prefix}${address}`)).toEqual([]);
    },
    60_000,
  );

  it.each(['/start', '/account'])(
    'is clean at %p',
    async (path) => {
      expect(await lookAt(console, path)).toEqual([]);
    },
    60_000,
  );
});
