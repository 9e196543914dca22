import { resolve } from 'node:path';
import { deliverNow } from '@switchyard/orchestration/src/features/callbacks/start-deliveries';
import { useHarness } from '@switchyard/orchestration/test/harness';
import { until } from '@switchyard/testing';
import type { N8nEditor } from './editor';
import { type N8n, startN8n } from './n8n';

const SAMPLE = resolve(__dirname, '../../../../services/orchestration/assets/n8n-issue.json');

describe('the sample workflow that creates an issue, in the editor of a running n8n', () => {
  const harness = useHarness();
  let n8n: N8n;
  let editor: N8nEditor;
  beforeAll(async () => {
    n8n = await startN8n();
    editor = await n8n.serve();
  }, 1_900_000);
  afterAll(() => n8n?.close());

  it('waits for the callback of the issue, and continues with its result', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const id = await editor.importFile(SAMPLE, ({ Settings }) => {
      if (!Settings) throw new Error('the sample has other nodes');
      const values: Record<string, string> = { api: `${harness.url}/api`, companyId, agentId };
      const { assignments } = Settings.parameters.assignments as { assignments: Assignment[] };
      for (const one of assignments) one.value = values[one.name] ?? one.value;
    });
    const finish = async () => {
      const find = () => harness.db.issue.findFirst({ where: { companyId } });
      const issue = await until('the issue', find, 120_000);
      const ended = { comment: 'The report.' };
      await harness.api.post(`/api/issues/${issue.id}/complete`).send(ended).expect(200);
      await until('the callback', async () => {
        await deliverNow(harness.context);
        const { body } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
        return body.callback === 'delivered';
      });
    };
    const [outcome] = await Promise.all([editor.execute(id), finish()]);
    expect(outcome).toMatchObject({ lastNode: 'Result', error: null });
    expect(await harness.db.issue.count({ where: { companyId } })).toBe(1);
  }, 300_000);
});

interface Assignment {
  name: string;
  value: string;
}
