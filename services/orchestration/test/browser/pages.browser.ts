import { COMPANY_PAGES, useCompanyPages } from './company-pages';
import { settled } from './settled';
import { lookAt, sidewaysOverflow, useConsole } from './use-console';

const PAGES = [...COMPANY_PAGES, '/people', '/search?q=issue'];

describe('the console in both themes, in wide and narrow windows', () => {
  const console = useConsole();
  const address = useCompanyPages(console);

  it.each(PAGES)('has no accessibility fault on the company page %p', async (path) => {
    expect(await lookAt(console, address(path))).toEqual([]);
  });

  it.each(['/start', '/account'])('has no accessibility fault on the page %p', async (path) => {
    expect(await lookAt(console, path)).toEqual([]);
  });
});

const LONG = 'Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz';

describe('the console in a narrow window', () => {
  const console = useConsole();
  const address = useCompanyPages(console, async (ids) => {
    const rename = (path: string, name: object) =>
      console.harness.api.patch(`/api/${path}`).send(name).expect(200);
    await rename(`agents/${ids.agentId}`, { name: LONG, title: LONG });
    await rename(`projects/${ids.projectId}`, { name: LONG });
    await rename(`goals/${ids.goalId}`, { title: LONG });
    await rename(`issues/${ids.issueId}`, { title: LONG, assigneeAgentId: ids.agentId });
    await rename(`routines/${ids.routineId}`, { title: LONG });
  });

  it.each(PAGES)('keeps a long name within the company page %p', async (path) => {
    const { page, context } = await console.open(address(path), { width: 390 });
    await settled(page);
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0);
    await context.close();
  });
});
