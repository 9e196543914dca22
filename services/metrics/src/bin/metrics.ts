import '@switchyard/server/tracing';
import { refuseOlderSchema } from '@switchyard/db';
import { listen, main, runProcess } from '@switchyard/server';
import { createApplication } from '../app';
import { startBackground } from '../background';
import { readConfig } from '../config';
import { createContext } from '../context';
import { logPlans } from '../health/request-plan';
import { warmUp } from '../warm-up';

void main(async () => {
  const config = readConfig(process.env);
  const context = createContext(config);
  await runProcess(context.logger, config.shutdownGraceMs, async () => {
    await refuseOlderSchema(context.db.pool, 'metrics');
    await warmUp(context);
    let stopping = false;
    const app = createApplication(context, () => stopping);
    const http = await listen(app, config.host, config.port);
    const background = startBackground(context);
    context.logger.info('metrics service is listening', { host: config.host, port: http.port });
    if (context.exchange.simulated) {
      context.logger.warn('SIMULATED exchange: prices, balances and fills are not real');
    }
    await logPlans(context, context.accounts);
    if (config.exchangeProblem) {
      context.logger.error('the exchange is not configured', { cause: config.exchangeProblem });
    }
    return {
      stop: async () => {
        stopping = true;
        await http.close(config.shutdownGraceMs / 2);
        await background.stop();
        await context.close();
      },
    };
  });
});
