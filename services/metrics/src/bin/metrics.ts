import { listen, main, runProcess } from '@switchyard/server';
import { createApplication } from '../app';
import { readConfig } from '../config';
import { createContext } from '../context';

void main(async () => {
  const config = readConfig(process.env);
  const context = createContext(config);
  await runProcess(context.logger, config.shutdownGraceMs, async () => {
    const http = await listen(createApplication(context), config.host, config.port);
    context.logger.info('metrics service is listening', { host: config.host, port: config.port });
    return {
      stop: async () => {
        await http.close(config.shutdownGraceMs / 2);
        await context.close();
      },
    };
  });
});
