import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { ExchangeFailure } from '@switchyard/metrics/src/exchange/failure';
import { type Harness, startHarness, startService } from '@switchyard/metrics/test/harness';
import { type N8n, startN8n } from './n8n';

const SAMPLE = resolve(__dirname, '../../../../services/metrics/assets/n8n-workflow.json');

describe('the sample workflow in a real n8n', () => {
  let n8n: N8n;
  let service: Harness;
  let chat: Server;
  let said: string[];
  beforeAll(async () => {
    n8n = await startN8n();
    service = await startHarness();
    await n8n.importWorkflow(SAMPLE);
    chat = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      said.push(JSON.parse(Buffer.concat(parts).toString()).text);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
    });
    await new Promise<void>((ready) => chat.listen(0, '127.0.0.1', ready));
  }, 1_900_000);
  beforeEach(() => {
    said = [];
  });
  afterAll(async () => {
    chat?.close();
    await service?.close();
    await n8n?.close();
  });

  const importFor = ({ port }: { port: number }) =>
    n8n.importWorkflow(SAMPLE, {
      '127.0.0.1:3200': `127.0.0.1:${port}`,
      '127.0.0.1:3201': `127.0.0.1:${(chat.address() as { port: number }).port}`,
    });

  it('collects from a healthy service, and sends no alarm', async () => {
    await importFor(service);
    const { lastNode, error } = await n8n.execute('switchyardMetric');
    expect({ lastNode, error, said }).toEqual({ lastNode: 'Compare', error: null, said: [] });
    const rows = await service.rows('SELECT source FROM collection');
    expect(rows).toEqual([{ source: 'n8n_schedule' }]);
  }, 300_000);

  it('sends an alarm with the missing parts of a collection and the reasons', async () => {
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('unavailable', 'all', 'away'));
    const sick = await startService({
      url: service.database.url,
      context: {
        exchange: () => ({ ...exchange, tickers: away, balance: away, close: async () => {} }),
      },
    });
    await importFor(sick);
    const { lastNode, error } = await n8n.execute('switchyardMetric');
    await sick.close();
    expect({ lastNode, error }).toEqual({ lastNode: 'Notify', error: null });
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^Collected without account_balance \(failed: unavailable/);
    expect(said[0]).toContain('market_data (failed');
    expect(said[0]).not.toContain('regime_analysis');
  }, 300_000);

  it('sends an alarm with the reason for a failed collection', async () => {
    await importFor(service);
    await service.asOwner('ALTER TABLE collection RENAME TO collection_away');
    const { lastNode, error } = await n8n.execute('switchyardMetric');
    await service.asOwner('ALTER TABLE collection_away RENAME TO collection');
    expect({ lastNode, error }).toEqual({ lastNode: 'Notify', error: null });
    expect(said.join()).toContain('The collection failed: ');
    expect(said.join()).toContain('the collection could not be stored');
  }, 300_000);
});
