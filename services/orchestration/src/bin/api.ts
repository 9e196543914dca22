import '@switchyard/server/tracing';
import { refuseOlderSchema } from '@switchyard/db';
import { listen, main, runProcess } from '@switchyard/server';
import { signInOf } from '../access/sign-in/sign-in';
import { readConfig } from '../config';
import { createContext } from '../create-context';
import { eventStreams } from '../features/events/event-streams';
import { startOffer } from '../features/people/offer-bootstrap';
import { startFailureRecords } from '../features/people/record-failures';
import { runnerNews } from '../features/runners/runner-news';
import { createApplication } from '../http/app';
import { createMetricsApplication } from '../observability/probes';

void main(async () => {
  const config = readConfig(process.env, 'api');
  const context = createContext(config, 'api');
  await runProcess(context.logger, config.shutdownGraceMs, async () => {
    await refuseOlderSchema(context.db.pool, 'orchestration');
    let stopping = false;
    const isStopping = () => stopping;
    const metrics = await listen(
      createMetricsApplication(context),
      config.host,
      config.apiMetricsPort,
    );
    const agents = await listen(
      createApplication(context, isStopping, 'agents'),
      config.host,
      config.network.agentPort,
    );
    const api = await listen(createApplication(context, isStopping), config.host, config.apiPort);
    context.logger.info('api is listening', { url: config.publicUrl, agentPort: agents.port });
    const signIn = signInOf(context);
    const offer = signIn && startOffer(context.db, context.logger, config.signIn?.bootstrapToken);
    const failures = signIn && startFailureRecords(context.db, signIn);
    return {
      stop: async () => {
        stopping = true;
        await offer?.close();
        // Ends the streams first, because an open stream would delay the server's stop until the
        // deadline.
        runnerNews(context).close();
        await eventStreams(context).close();
        const grace = config.shutdownGraceMs / 2;
        await Promise.all([api.close(grace), agents.close(grace)]);
        await metrics.close(1_000);
        await failures?.close();
        await context.close();
      },
    };
  });
});
