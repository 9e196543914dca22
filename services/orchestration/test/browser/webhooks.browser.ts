import { until } from '@switchyard/testing';
import { openReceiver } from '../webhook-receiver';
import { settled } from './settled';
import { useConsole } from './use-console';

describe('webhooks in the console', () => {
  const console = useConsole();
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());

  it('can be added, tested, disabled and deleted; the secret is shown once, and deliveries can be repeated', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const { page } = await console.open(`/${company.issuePrefix}/settings`);
    await page.getByRole('link', { name: 'Manage webhooks' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(`${receiver.url}/hook?token=abc`);
    await dialog.getByLabel('Run ended').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = await dialog.getByLabel('Signing secret', { exact: true }).inputValue();
    await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();

    const row = page.getByRole('listitem').filter({ hasText: '127.0.0.1' });
    await row.getByText('Run ended').waitFor();
    expect(await page.content()).not.toContain('token=abc');
    expect(await page.content()).not.toContain(secret);

    await row.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByText('Delivered').waitFor();
    expect(receiver.verified(receiver.calls[0], secret)).toMatchObject({ data: { test: true } });
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await until('the second call', async () => receiver.calls.length === 2);
    await dialog.getByText('Delivered').waitFor();
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    await page.keyboard.press('Escape');

    await row.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    await row.getByRole('button', { name: 'Enable' }).waitFor();
    expect(await row.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
    const stored = async () =>
      (await api.get(`/api/companies/${company.id}/endpoints`).expect(200)).body;
    await until('the endpoint to be disabled', async () => {
      const [endpoint] = await stored();
      return endpoint.status === 'disabled';
    });

    await row.getByRole('button', { name: 'Delete' }).click();
    const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await deleted;
    await row.waitFor({ state: 'detached' });
    expect(await stored()).toEqual([]);
  });

  it('show the receiver’s response to a test, and mark a refused address in the form', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    receiver.answer = (_call, response) => void response.writeHead(500).end();
    const url = `${receiver.url}/failing`;
    await api.post(`/api/companies/${company.id}/endpoints`).send({ url }).expect(201);
    const { page } = await console.open(`/${company.issuePrefix}/settings/webhooks`, {
      expects: /status of 400/,
    });
    await settled(page);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('HTTP 500').waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText('Failing since').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const address = dialog.getByLabel('Address');
    await address.fill('nonsense');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
  });
});
