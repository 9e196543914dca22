import { COMPANY_PAGES, useCompanyPages } from './company-pages';
import { lookAt, useConsole } from './use-console';

const PAGES = [...COMPANY_PAGES, '/people', '/search?q=issue'];

describe('every page of the console, in both themes, wide and narrow', () => {
  const console = useConsole();
  const address = useCompanyPages(console);

  it.each(PAGES)('has no accessibility fault at %p of a company', async (path) => {
    expect(await lookAt(console, address(path))).toEqual([]);
  });

  it.each(['/start', '/account'])('has no accessibility fault at %p', async (path) => {
    expect(await lookAt(console, path)).toEqual([]);
  });
});
