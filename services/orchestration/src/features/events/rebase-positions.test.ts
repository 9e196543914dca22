import { openPool } from '@switchyard/db';
import { useHarness } from '../../../test/harness';
import { untilPast } from '../../../test/until-past';
import { openReceiver, WEBHOOK_SECRET } from '../../../test/webhook-receiver';
import { collectEvents } from '../webhooks/collect-events';
import { rebasePositions } from './rebase-positions';

describe('rebasePositions after a restore from a cluster with higher transaction ids', () => {
  const harness = useHarness();
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());

  const rebase = async (adapt: string) => {
    const url = harness.database.ownerUrl;
    const pool = openPool({ url, size: 1, applicationName: 'test', onIdleError: () => undefined });
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(adapt);
      await rebasePositions(client);
      await client.query('COMMIT');
    } finally {
      client.release();
      await pool.end();
    }
  };
  const add = async (companyId: string) => {
    const { body } = await harness.api
      .post(`/api/companies/${companyId}/endpoints`)
      .send({ url: `${receiver.url}/hook`, secret: WEBHOOK_SECRET })
      .expect(201);
    return body.id as string;
  };
  const collected = async (companyId: string, endpointId: string) => {
    await untilPast(harness, companyId);
    await collectEvents(harness.context);
    const { delivery } = harness.db;
    const orderBy = { createdAt: 'asc' } as const;
    const found = await delivery.findMany({ where: { endpointId }, orderBy });
    return found.map(({ body }) => JSON.parse(body ?? '').data.entity.name);
  };

  it('keeps the position of an endpoint between the delivered and the unread events', async () => {
    const { id: companyId } = await harness.build.company();
    await harness.build.issue({ companyId, title: 'Before' });
    const endpoint = await add(companyId);
    await harness.build.issue({ companyId, title: 'Seen' });
    expect(await collected(companyId, endpoint)).toEqual(['Seen']);
    await harness.build.issue({ companyId, title: 'Unread' });
    await rebase(`
      UPDATE activity SET transaction_id = (transaction_id::text::bigint + 1000000000000)::text::xid8;
      UPDATE endpoint SET event_transaction = event_transaction + 1000000000000`);
    await harness.build.issue({ companyId, title: 'New' });
    expect(await collected(companyId, endpoint)).toEqual(['Seen', 'Unread', 'New']);
  });

  it('keeps the position of an endpoint after the last event if the endpoint has received all events', async () => {
    const { id: companyId } = await harness.build.company();
    await harness.build.issue({ companyId, title: 'Before' });
    const endpoint = await add(companyId);
    await rebase('UPDATE endpoint SET event_transaction = event_transaction + 1000000000000');
    await harness.build.issue({ companyId, title: 'New' });
    expect(await collected(companyId, endpoint)).toEqual(['New']);
  });
});
