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

  it('can be added, tested, disabled and deleted, with a secret shown once and deliveries that can be repeated', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    const { page } = await console.open(`/${company.issuePrefix}/settings`);
    await page.getByRole('link', { name: 'Webhooks' }).click();
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

    await row.getByRole('button', { name: 'More' }).click();
    await row.getByRole('button', { name: 'Delete' }).click();
    const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await deleted;
    await row.waitFor({ state: 'detached' });
    expect(await stored()).toEqual([]);
  });

  it('can be edited, can have their secret rotated, and can resend all events since a time', async () => {
    const { api, build } = console.harness;
    const company = await build.company();
    receiver.calls.length = 0;
    const { body: endpoint } = await api
      .post(`/api/companies/${company.id}/endpoints`)
      .send({ url: `${receiver.url}/first`, events: ['run.ended'] })
      .expect(201);
    const { page } = await console.open(`/${company.issuePrefix}/settings/webhooks`);
    const row = page.getByRole('listitem').filter({ hasText: '127.0.0.1' });
    const dialog = page.getByRole('dialog', { name: '127.0.0.1' });
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'More' }).click();
      await row.getByRole('button', { name }).click();
    };
    await choose('Edit');
    await dialog.getByLabel('Address').fill(`${receiver.url}/second`);
    await dialog.getByLabel('Description').fill('Issues of the board');
    await dialog.getByLabel('Run ended').uncheck();
    await dialog.getByLabel('Issue changed').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Issues of the board').waitFor();
    await row.getByText('Issue changed').waitFor();

    await choose('Rotate the secret');
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
    const shown = page.getByRole('dialog', { name: 'Signing secret' });
    const secret = await shown.getByLabel('Signing secret', { exact: true }).inputValue();
    await shown.locator('footer').getByRole('button', { name: 'Close' }).click();
    await build.issue({ companyId: company.id });
    await until('the event', async () => receiver.calls.length === 1);
    const [first] = receiver.calls;
    expect(first?.path).toBe('/second');
    expect(secret).not.toBe(endpoint.secret);
    for (const either of [secret, endpoint.secret]) {
      expect(receiver.verified(first, either)).toMatchObject({ type: 'issue.updated' });
    }

    await choose('Replay');
    await dialog.getByLabel('Since').fill('2026-01-01T12:00');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 event is sent again').waitFor();
    await until('the event again', async () => receiver.calls.length === 2);
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
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
    await page.getByText('Failing since').waitFor();
    receiver.answer = (_call, response) => void response.writeHead(204).end();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByText('Delivered').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Failing since').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New webhook' }).click();
    const address = dialog.getByLabel('Address');
    await address.fill('nonsense');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
  });
});
