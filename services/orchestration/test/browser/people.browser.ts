import type { DeviceSignInView } from '@switchyard/types';
import { createPasswords } from '../../src/access/sign-in/passwords';
import { resetPassword } from '../../src/features/people/administration';
import { PASSWORD } from '../authenticated-harness';
import { settled } from './settled';
import { lookAt, useConsole } from './use-console';

describe('people in the console', () => {
  const console = useConsole({ mode: 'authenticated' });

  it('can accept an invite through its link, and then have only the rights of their role', async () => {
    const company = await console.harness.build.company({ name: 'Acme' });
    const owner = await console.member(company.id, 'owner');
    const { page } = await console.open(`/${company.issuePrefix}/people`, { as: owner });
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Role/).selectOption('viewer');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await dialog.getByLabel('Invite link').inputValue();
    await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Open invites' }).waitFor();

    const { page: other } = await console.open(link);
    const form = other.locator('#invite');
    await form.getByLabel('Name').fill('Grace Hopper');
    await form.getByLabel('E-mail address').fill('grace@example.com');
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button').click();
    await other.waitForURL(`**/${company.issuePrefix}`);
    await settled(other);
    await page.getByText('grace@example.com').waitFor();

    await other.goto(`/${company.issuePrefix}/secrets`);
    await settled(other);
    await other.getByText('No secrets yet').waitFor();
    expect(await other.getByRole('button', { name: /^New/ }).count()).toBe(0);
    await other.goto(`/${company.issuePrefix}/settings`);
    await settled(other);
    expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await other.getByRole('button', { name: 'Pause company' }).count()).toBe(0);
  });

  it('can give a terminal a token only by typing its code, which the link does not fill in', async () => {
    const company = await console.harness.build.company();
    const owner = await console.member(company.id, 'owner');
    const begun = await fetch(`${console.url}/api/auth/device`, { method: 'POST' });
    const { deviceCode, userCode, verificationUrl } = (await begun.json()) as DeviceSignInView;
    const { pathname } = new URL(verificationUrl);
    const { page } = await console.open(`${pathname}?code=${userCode}`, { as: owner });
    await settled(page);
    const dialog = page.getByRole('dialog');
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByText('all your companies').waitFor();
    const code = dialog.getByLabel('Code of a terminal');
    expect(await code.inputValue()).toBe('');
    await code.fill(userCode);
    await dialog.getByLabel('Name').fill('laptop');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('laptop').waitFor();
    expect(await dialog.count()).toBe(0);
    const headers = { authorization: `Bearer ${deviceCode}` };
    expect((await fetch(`${console.url}/api/auth/session`, { headers })).status).toBe(200);
  });

  it('have pages that pass the accessibility check in both themes, in wide and narrow windows', async () => {
    const company = await console.harness.build.company();
    const owner = await console.member(company.id, 'owner');
    expect(await lookAt(console, `/${company.issuePrefix}/people`, { as: owner })).toEqual([]);
    expect(await lookAt(console, '/account', { as: owner })).toEqual([]);
  });

  it('must replace a password that the operator has set, before they can sign in', async () => {
    const company = await console.harness.build.company();
    const person = await console.member(company.id);
    const { db } = console.harness.context;
    const hash = await createPasswords(4).hash('quiet-lantern-harbour-9');
    await resetPassword(db, person.email, hash);
    const { page } = await console.open('/sign-in', { expects: /status of (40[0-3])/ });
    await settled(page);
    const form = page.locator('#sign-in');
    await form.getByLabel('E-mail address').fill(person.email);
    await form.getByLabel('Password', { exact: true }).fill('quiet-lantern-harbour-9');
    const replacement = form.getByLabel('New password');
    expect(await replacement.isVisible()).toBe(false);
    await form.getByRole('button').click();
    await form.locator('[name=newPassword]:focus').waitFor();
    await replacement.fill('password1234');
    await form.getByRole('button').click();
    await form.getByText('Is too easy to guess: it is a common password').waitFor();
    expect(await replacement.getAttribute('aria-invalid')).toBe('true');
    await replacement.fill('another horse battery staple');
    await form.getByRole('button').click();
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  });

  it('must confirm their password to invite an owner if their session is old', async () => {
    const company = await console.harness.build.company();
    const owner = await console.member(company.id, 'owner');
    const { page } = await console.open(`/${company.issuePrefix}/people`, {
      as: owner,
      expects: /status of 403/,
    });
    await console.harness.db.session.updateMany({
      where: { userId: owner.id },
      data: { createdAt: new Date(Date.now() - 11 * 60_000) },
    });
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel(/Role/).selectOption('owner');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' });
    await asked.getByLabel('Password').fill('not my password');
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await asked.getByText('the password is wrong').waitFor();
    await asked.getByLabel('Password').fill(PASSWORD);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await page.getByLabel('Invite link').waitFor();
  });

  it('can choose a language and a theme, which are both stored', async () => {
    const company = await console.harness.build.company();
    const person = await console.member(company.id);
    const { page } = await console.open('/account', { as: person });
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Aussehen' }).waitFor();
    await page.getByLabel('Farben').selectOption('dark');
    await page.goto(`/${company.issuePrefix}`);
    await page.getByRole('heading', { level: 1, name: 'Wartet auf dich' }).waitFor();
    const html = page.locator('html');
    expect(await html.getAttribute('lang')).toBe('de');
    expect(await html.getAttribute('data-theme')).toBe('dark');
    await page.goto('/account');
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    await page.getByLabel('Colours').selectOption('system');
    expect(await html.getAttribute('data-theme')).toBeNull();
  });
});
