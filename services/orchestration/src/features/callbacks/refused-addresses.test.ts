import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { deliverNow } from './start-deliveries';

describe('callbacks in authenticated mode', () => {
  const harness = useAuthenticatedHarness();
  let connections = 0;
  const server = createServer((_request, response) => void response.end('ok'));
  let port = 0;
  beforeAll(async () => {
    server.on('connection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  async function create(callbackUrl: string) {
    const { id: companyId } = await harness.build.company();
    const { cookie } = await harness.operator(companyId);
    const answer = await harness
      .as({ cookie })
      .post(`/api/companies/${companyId}/issues`)
      .send({ title: 'Tidy up', status: 'done', callbackUrl });
    return { companyId, answer };
  }

  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:192.168.0.1]/',
  ])('cannot have the address %s', async (url) => {
    const { answer } = await create(url);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('callbackUrl');
  });

  it('make no connection if the host name resolves to a private address', async () => {
    const { companyId, answer } = await create(`https://${hostname()}:${port}/`);
    expect(answer.status).toBe(201);
    expect(await deliverNow(harness.context)).toBe(0);
    expect(connections).toBe(0);
    const [row] = await harness.db.delivery.findMany({ where: { companyId } });
    expect(row).toMatchObject({ status: 'pending', attempts: 1, answerStatus: null });
    expect(row?.error).toMatch(/has no allowed address|ENOTFOUND|EAI_AGAIN/);
  });
});
