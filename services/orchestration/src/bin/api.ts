import { listen, main, runProcess } from '@switchyard/server';
import { createApplication } from '../app';
import { readConfig } from '../config';
import { createContext } from '../context';
import { createMetricsApplication } from '../probes';

void main(async () => {
  const config = readConfig(process.env);
  const context = createContext(config, 'api');
  await runProcess(context.logger, config.shutdownGraceMs, async () => {
    let stopping = false;
    const app = createApplication(context, () => stopping);
    const metrics = await listen(
      createMetricsApplication(context),
      config.host,
      config.apiMetricsPort,
    );
    const api = await listen(app, config.host, config.apiPort);
    context.logger.info('api is listening', { url: config.publicUrl });
    return {
      stop: async () => {
        stopping = true;
        // An open stream would hold the server open until the deadline.
        await context.events.close();
        await api.close(config.shutdownGraceMs / 2);
        await metrics.close(1_000);
        await context.close();
      },
    };
  });
});
