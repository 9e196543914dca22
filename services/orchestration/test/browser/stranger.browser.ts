import type { Page } from 'playwright-core';
import { PASSWORD } from '../authenticated-harness';
import { settled } from './settled';
import { BOOTSTRAP_TOKEN, takePicture, useConsole } from './use-console';

const nav = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: false }).first().click();

async function playDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start the demo' }).click();
  const question = page.getByText('Which region opens first?').first();
  await question.waitFor();
  await takePicture(page, 'stranger-needs-you');

  await nav(page, 'Runs');
  await settled(page);
  const run = page.getByRole('link', { name: /Write the welcome text/ }).first();
  await run.click();
  await page.getByText('Handed in.').first().waitFor();
  await page.getByText('Succeeded').first().waitFor();
  await takePicture(page, 'stranger-run');

  await nav(page, 'Needs you');
  await question.waitFor();
  const row = page.locator('main').getByText('Which region opens first?').first();
  await row.waitFor();
  await page
    .getByRole('button', { name: /^(?:Approve|Answer)/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('listitem').getByRole('button').first().click();
  await row.waitFor({ state: 'hidden' });

  await nav(page, 'Costs');
  await settled(page);
  await page
    .getByText(/\$0\.(?:14|21)/)
    .first()
    .waitFor();
  await takePicture(page, 'stranger-costs');
}

describe('a new user in local trusted mode', () => {
  const console = useConsole();

  it('can start the demo, answer its question and see its costs', async () => {
    const { page } = await console.open('/');
    await playDemo(page);
  });
});

describe('a new user in authenticated mode', () => {
  const console = useConsole({ mode: 'first-start' });

  it('can create the first account, start the demo, answer its question and see its costs', async () => {
    const { page } = await console.open('/');
    await page.getByRole('link', { name: /First start/ }).click();
    const form = page.locator('#bootstrap');
    await form.getByLabel('Bootstrap token').fill(BOOTSTRAP_TOKEN);
    await form.getByLabel('Name').fill('Ada Lovelace');
    await form.getByLabel('E-mail address').fill('ada@example.com');
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Create first account' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/');
    await playDemo(page);
  });
});
