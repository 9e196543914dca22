import { type Listening, listen, silentLogger } from '@switchyard/server';
import type { Config } from '../src/config';
import { createContext } from '../src/create-context';
import { eventStreams } from '../src/features/events/event-streams';
import { createApplication } from '../src/http/app';
import type { Context } from '../src/kernel/context';

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
      await eventStreams(context).close();
      await listening.close(1_000);
      await context.close();
    },
  };
}
