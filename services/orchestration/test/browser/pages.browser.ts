import { COMPANY_PAGES, useCompanyPages } from './company-pages';
import { lookAt, useConsole } from './use-console';

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
