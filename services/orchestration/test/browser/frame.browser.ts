import { until } from '@switchyard/testing';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../authenticated-harness';
import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('the console in local trusted mode', () => {
  const console = useConsole();

  it('opens the guide on the first visit, and the inbox on later visits', async () => {
    const first = await console.open('/');
    await settled(first.page);
    const company = await console.harness.build.company({ name: 'Acme' });
    const { page } = await console.open('/');
    await page.waitForURL(`**/${company.issuePrefix}`);
    await settled(page);
    expect(await page.title()).toMatch(/· Switchyard$/);
  });

  it('reports an unknown page', async () => {
    const { page } = await console.open('/NOPE/issues');
    await page.getByText('Page not found').first().waitFor();
    const answer = await page.goto('/ACM/nothing');
    expect(answer?.status()).toBe(404);
  });

  it('opens the search and other pages with keyboard shortcuts', async () => {
    const company = await console.harness.build.company();
    const { page } = await console.open(`/${company.issuePrefix}`);
    await settled(page);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL('**/issues');
  });

  it('accepts the second key of a shortcut even if the page is rendered again between the keys', async () => {
    const { build, api } = console.harness;
    const company = await build.company({ name: 'Acme' });
    const { page } = await console.open(`/${company.issuePrefix}`);
    await settled(page);
    await page.getByText('Live', { exact: true }).waitFor();
    // Stops the clock, because the shortcut's next key only counts within 1 s of the first.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 10_000);
    await page.keyboard.press('g');
    await api.patch(`/api/companies/${company.id}`).send({ name: 'Emca' }).expect(200);
    await until('the new name', async () => {
      await page.clock.runFor(1);
      return page.getByRole('button', { name: 'Emca' }).isVisible();
    });
    await page.keyboard.press('i');
    await page.waitForURL('**/issues');
  });

  it('passes the accessibility check in both themes, in wide and narrow windows', async () => {
    const company = await console.harness.build.company();
    expect(await lookAt(console, `/${company.issuePrefix}`)).toEqual([]);
  });

  it('reconnects its event stream after an outage of the API', async () => {
    const company = await console.harness.build.company();
    const expects =
      /ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET)/;
    const { page } = await console.open(`/${company.issuePrefix}`, { expects });
    await settled(page);
    await page.getByText('Live', { exact: true }).waitFor();
    await console.restartApi();
    await page.getByText('Live', { exact: true }).waitFor();
  });
});

describe('the sign-in page', () => {
  const console = useConsole({ mode: 'authenticated' });

  const signIn = async (page: Page, email: string, password = PASSWORD) => {
    const form = page.locator('#sign-in');
    await form.getByLabel('E-mail address').fill(email);
    await form.getByRole('textbox', { name: 'Password' }).fill(password);
    await form.getByRole('button', { name: 'Sign in' }).click();
  };

  it('opens the requested page after the sign-in', async () => {
    const company = await console.harness.build.company();
    const { email } = await console.member(company.id);
    const { page } = await console.open(`/${company.issuePrefix}/issues?view=list`);
    await page.waitForURL(({ pathname }) => pathname === '/sign-in');
    await signIn(page, email, 'not the password');
    await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
    await signIn(page, email);
    await page.waitForURL(({ pathname }) => pathname === `/${company.issuePrefix}/issues`);
    expect(new URL(page.url()).search).toBe('?view=list');
    await settled(page);
  });

  it('works without JavaScript', async () => {
    const company = await console.harness.build.company();
    const { email } = await console.member(company.id);
    const { page } = await console.open(`/${company.issuePrefix}/issues`, { javaScript: false });
    await signIn(page, email, 'not the password');
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await signIn(page, email);
    await page.waitForURL(`**/${company.issuePrefix}/issues`);
  });

  it('has German texts in a German browser', async () => {
    const { page } = await console.open('/sign-in', { language: 'de-DE' });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  });

  it('allows a signed-in person to end another session and to change the password', async () => {
    const company = await console.harness.build.company();
    const person = await console.member(company.id);
    await console.open('/sign-in', { as: person });
    const { page } = await console.open('/sign-in', { as: person });
    await page.getByRole('button', { name: 'Sign out there' }).first().click();
    await page.getByRole('button', { name: 'Sign out there' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.locator('#change-password').getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password was changed.').waitFor();
  });

  it.each(['', '#bootstrap', `#invite=${'x'.repeat(43)}`])(
    'passes the accessibility check in both themes, in wide and narrow windows: /sign-in%s',
    async (place) => {
      expect(await lookAt(console, `/sign-in${place}`)).toEqual([]);
    },
  );

  it('passes the accessibility check for a signed-in person', async () => {
    const company = await console.harness.build.company();
    const person = await console.member(company.id);
    expect(await lookAt(console, '/sign-in', { as: person })).toEqual([]);
  });
});
