import '@switchyard/server/tracing';
import { refuseOlderSchema } from '@switchyard/db';
import { listen, main, runProcess } from '@switchyard/server';
import { createApplication } from '../app';
import { readConfig } from '../config';
import { createContext } from '../context';
import { startOffer } from '../features/people/offer-bootstrap';
import { createMetricsApplication } from '../probes';

void main(async () => {
  const config = readConfig(process.env);
  const context = createContext(config, 'api');
  await runProcess(context.logger, config.shutdownGraceMs, async () => {
    await refuseOlderSchema(context.db.pool, 'orchestration');
    let stopping = false;
    const app = createApplication(context, () => stopping);
    const metrics = await listen(
      createMetricsApplication(context),
      config.host,
      config.apiMetricsPort,
    );
    const api = await listen(app, config.host, config.apiPort);
    context.logger.info('api is listening', { url: config.publicUrl });
    const offer = context.signIn && startOffer(context.db, context.logger);
    return {
      stop: async () => {
        stopping = true;
        await offer?.close();
        // An open stream would hold the server open until the deadline.
        await context.events.close();
        await api.close(config.shutdownGraceMs / 2);
        await metrics.close(1_000);
        await context.close();
      },
    };
  });
});
