import supertest from 'supertest';
import { useHarness } from '../../test/harness';
import { createMetricsApplication } from '../observability/probes';
import { recordBackup } from './record-backup';

const harness = useHarness();

it('the metrics page exports the time that recordBackup stores', async () => {
  const shown = async () => {
    const { text } = await supertest(createMetricsApplication(harness.context)).get('/metrics');
    return Number(/^switchyard_last_backup_timestamp_seconds (.+)$/m.exec(text)?.[1]);
  };
  const { ownerUrl } = harness.database;
  for (let time = 0; time < 2; time++) await recordBackup(ownerUrl);
  const { rows } = await harness.context.db.pool.query(
    'SELECT extract(epoch FROM completed_at)::float8 AS at FROM last_backup',
  );
  expect(rows).toHaveLength(1);
  expect(await shown()).toBe(rows[0].at);
});
