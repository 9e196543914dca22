import type { Page } from 'playwright-core';
import { CLIENT, openIdentityProvider } from './identity-provider';
import { settled } from './settled';
import { takePicture, useConsole } from './use-console';

describe('a person with an account at the identity provider', () => {
  const environment: Record<string, string> = {};
  let provider: Awaited<ReturnType<typeof openIdentityProvider>>;
  beforeAll(async () => {
    provider = await openIdentityProvider();
    Object.assign(environment, {
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    });
  });
  const console = useConsole({ mode: 'authenticated', environment });
  beforeAll(() => provider.register(console.url));
  afterAll(() => provider.close());

  const signInThere = async (page: Page, login: string) => {
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  const isOwn = (page: Page) => page.url().startsWith(console.url);

  it('accepts an invite, signs in again, and is signed out by the provider', async () => {
    const { people, harness } = console;
    const company = await harness.build.company();
    const owner = await people.person('Owner');
    await people.join(owner, company.id, 'owner');
    const asOwner = await console.open('/', { as: owner });
    const made = await asOwner.context.request.post(`/api/companies/${company.id}/invites`, {
      data: { role: 'viewer' },
    });
    const { token } = (await made.json()) as { token: string };

    const expects = new RegExp(`^${provider.url}/|fonts\\.googleapis|ERR_NAME_NOT_RESOLVED`);
    const { page, context } = await console.open(`/sign-in#invite=${token}`, { expects });
    await takePicture(page, 'provider-invite');
    await page.getByRole('button', { name: 'Accept with your company account' }).click();
    await signInThere(page, 'ada');
    await page.waitForURL((url) => url.href.startsWith(console.url));
    const session = await (await context.request.get('/api/auth/session')).json();
    expect(session).toMatchObject({
      user: { email: 'ada@corp.example.com', name: 'Name of ada', hasPassword: false },
      memberships: [{ companyId: company.id, role: 'viewer' }],
    });

    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in with your company account' }).waitFor();
    await takePicture(page, 'provider-sign-in');
    await page.goto(`/sign-in?next=/${company.issuePrefix}/issues`);
    await page.getByRole('link', { name: 'Sign in with your company account' }).click();
    await page.waitForURL((url) => url.pathname === `/${company.issuePrefix}/issues`);
    expect(isOwn(page)).toBe(true);
    await settled(page);

    await page.goto(`${provider.url}/session/end`);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page
      .getByText(/sign-out/i)
      .first()
      .waitFor();
    await page.goto(`${console.url}/${company.issuePrefix}/issues`);
    await page.waitForURL((url) => url.pathname === '/sign-in');
  });
});
