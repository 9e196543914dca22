import { cloneDatabase, openGate, until } from '@switchyard/testing';
import { startService } from './harness';

const AGAIN_MS = 30_000;

it('GET /readyz returns 503 while the database does not respond, and 200 after a reconnect', async () => {
  const database = await cloneDatabase('metrics');
  const gate = await openGate(database.url);
  const service = await startService({ url: gate.url });
  const statusOf = async (path: string) => (await service.http.get(path)).status;
  try {
    await until('the service to be ready', async () => (await statusOf('/readyz')) === 200);
    gate.silence();
    expect(await statusOf('/readyz')).toBe(503);
    await until(
      'the service to be ready again',
      async () => (await statusOf('/readyz')) === 200,
      AGAIN_MS,
    );
    expect(await statusOf('/grids/status')).toBe(200);
    expect(await statusOf('/livez')).toBe(200);
  } finally {
    await service.close();
    await gate.close();
    await database.drop();
  }
});
