import type { Page, Request, Route } from 'playwright-core';
import { COMPANY_PAGES, useCompanyPages } from './company-pages';
import { holdBack, settled } from './settled';
import { useConsole } from './use-console';

const AWAY = /ERR_(?:CONNECTION_REFUSED|FAILED|INTERNET_DISCONNECTED)/;
const BROKEN = /TypeError|RangeError|SyntaxError|Minified React error|error boundary/;

const MISSING = ['issues/NONE-1', 'runs', 'agents', 'routines', 'approvals', 'projects'];
const NO_ID = '00000000-0000-7000-8000-000000000000';

describe('a page with incomplete responses', () => {
  const console = useConsole();
  const address = useCompanyPages(console);

  const openHome = async (expects?: RegExp) => {
    const { page } = await console.open(address(''), expects ? { expects } : {});
    await settled(page);
    return page;
  };

  it.each(COMPANY_PAGES)(
    'keeps the navigation usable at %p if every response lacks its fields',
    async (path) => {
      const page = await openHome(BROKEN);
      await page.route(isAnswer, loseFields);
      await page.reload();
      await goTo(page, address(path));
      await page.getByRole('navigation').first().waitFor();
      await page.locator('h1, [role=alert]').first().waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'People' })
        .click();
      await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    },
  );

  it('shows an error instead of its content, until the response is complete', async () => {
    const page = await openHome(BROKEN);
    await page.route('**/overview', (route) => route.fulfill({ json: {} }));
    await goTo(page, address('/overview'));
    await page.getByText('This page could not be shown').waitFor();
    await page.unroute('**/overview');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it.each(MISSING)('reports a missing entity at %p', async (path) => {
    const page = await openHome();
    await goTo(page, address(`/${path.includes('/') ? path : `${path}/${NO_ID}`}`));
    await page.getByText('This does not exist, or you may not see it').waitFor();
    await page.getByRole('navigation').first().waitFor();
  });

  it('shows placeholder rows while a response is slow', async () => {
    const page = await openHome();
    const release = await holdBack(page, '**/overview');
    await goTo(page, address('/overview'));
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor();
    release();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
  });

  it('reports an unreachable service, and loads when the service is reachable', async () => {
    const page = await openHome(AWAY);
    await page.route('**/overview', (route) => route.abort('connectionrefused'));
    await goTo(page, address('/overview'));
    await page.getByText('The service does not respond').waitFor();
    await page.unroute('**/overview');
    await page.getByRole('heading', { level: 2 }).first().waitFor();
  });

  it('loads its script when the service becomes reachable, even after a failed first attempt', async () => {
    const page = await openHome(AWAY);
    await page.evaluate('window.isSamePage = true');
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    const isKept = await keepsRefusals(page);
    const isRefused = page.waitForEvent('requestfailed', (request) =>
      /\/assets\/costs-/.test(request.url()),
    );
    await goTo(page, address('/costs'));
    await isRefused;
    // Waits for running handlers, so that they refuse pending requests instead of never completing
    // them.
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(isKept ? undefined : true);
  });
});

/**
 * Returns true if this browser never retries a failed import, so that only a reload of the page
 * helps (Chromium 153).
 */
async function keepsRefusals(page: Page): Promise<boolean> {
  let asked = 0;
  const count = (request: Request) => {
    if (request.url().endsWith('/assets/none.js')) asked += 1;
  };
  page.on('request', count);
  for (let at = 0; at < 2; at++) {
    await page.evaluate("import('/assets/none.js').catch(() => undefined)");
  }
  page.off('request', count);
  return asked === 1;
}

/**
 * Navigates like a click on a link, but without the pointer event that would preload the screen's
 * code.
 */
const goTo = (page: Page, path: string) =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);

const isAnswer = ({ pathname }: URL): boolean =>
  pathname.startsWith('/api/') && !/\/(?:companies|session|changes|counts)$/.test(pathname);

async function loseFields(route: Route): Promise<void> {
  const response = await route.fetch();
  const isJson = response.headers()['content-type']?.includes('application/json');
  if (!isJson || !response.ok()) return route.fulfill({ response });
  return route.fulfill({ response, json: without(await response.json()) });
}

function without(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(without);
  const { id } = answer as { id?: string };
  return id === undefined ? {} : { id };
}
