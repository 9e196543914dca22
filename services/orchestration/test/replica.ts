import { type Listening, listen, silentLogger } from '@switchyard/server';
import { createApplication } from '../src/app';
import type { Config } from '../src/config';
import { type Context, createContext } from '../src/context';

export interface Replica {
  context: Context;
  listening: Listening;
  url: string;
  close(): Promise<void>;
}

export async function startReplica(config: Config): Promise<Replica> {
  const context = createContext(config, 'replica', { logger: silentLogger });
  const app = createApplication(context, () => false);
  const listening = await listen(app, '127.0.0.1', 0);
  return {
    context,
    listening,
    url: `http://127.0.0.1:${listening.port}`,
    close: async () => {
      await context.events.close();
      await listening.close(1_000);
      await context.close();
    },
  };
}
