import { assertSchemaVersion } from '@switchyard/db';
import { checkHealth } from '@switchyard/server';
import type { Application } from 'express';
import type { Context } from '../context';

/** Metrics specification, "GET /health": 200 with status ok, 500 while the database does not answer. */
export function mountHealth(app: Application, context: Context): void {
  const probes = {
    required: { database: () => assertSchemaVersion(context.pool, 'metrics') },
    isStopping: () => false,
  };
  app.get('/health', async (_request, response) => {
    const { ready, components } = await checkHealth(probes);
    response.status(ready ? 200 : 500).json({
      status: ready ? 'ok' : 'error',
      timestamp: new Date().toISOString(),
      components: { database: { status: components.database } },
    });
  });
}
