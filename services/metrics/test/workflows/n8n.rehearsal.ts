import { resolve } from 'node:path';
import { type N8n, startN8n } from '@switchyard/testing';
import { type Harness, startHarness } from '../harness';

const SAMPLE = resolve(__dirname, '../../assets/n8n-workflow.json');

describe('the sample workflow in a real n8n', () => {
  let n8n: N8n;
  let service: Harness;
  beforeAll(async () => {
    n8n = await startN8n();
    service = await startHarness();
    await n8n.importWorkflow(SAMPLE);
  }, 1_900_000);
  afterAll(async () => {
    await service?.close();
    await n8n?.close();
  });

  it('collects from a healthy service', async () => {
    await n8n.importWorkflow(SAMPLE, { '127.0.0.1:3200': `127.0.0.1:${service.port}` });
    const { lastNode, error } = await n8n.execute('switchyardMetric');
    expect({ lastNode, error }).toEqual({ lastNode: 'Done', error: null });
    const rows = await service.rows('SELECT source FROM collection');
    expect(rows).toEqual([{ source: 'n8n_schedule' }]);
  }, 300_000);

  it('says why a collection failed', async () => {
    await service.asOwner('ALTER TABLE collection RENAME TO collection_away');
    const { lastNode, error } = await n8n.execute('switchyardMetric');
    await service.asOwner('ALTER TABLE collection_away RENAME TO collection');
    expect(lastNode).toBe('Alert');
    expect(error).toContain('The collection failed: ');
    expect(error).toContain('the collection could not be stored');
  }, 300_000);
});
