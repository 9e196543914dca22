import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { readRunnerSettings } from '../runner-settings';

/**
 * The settings, read in a thread that ends with that: zod and the schemas are 4.5 MB, for which a runner has no use
 * afterwards.
 * @throws Error naming every bad variable at once
 */
export async function readSettingsApart(
  ...[variables]: Parameters<typeof readRunnerSettings>
): Promise<ReturnType<typeof readRunnerSettings>> {
  const thread = new Worker(join(__dirname, 'settings-thread.js'), {
    workerData: { ...variables },
  });
  const [[settings]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
  return settings;
}
