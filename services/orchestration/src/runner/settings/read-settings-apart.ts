import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { readRunnerSettings } from '../runner-settings';
import type { SettingsAnswer } from './settings-child';

/**
 * The settings, read by a process that ends with that: zod and the schemas are 4.5 MB, for which a runner has no use
 * afterwards. A thread would leave 1 MB behind with Node 20, and 3.5 with Node 24.
 * @throws Error naming every bad variable at once
 */
export async function readSettingsApart(
  ...[variables]: Parameters<typeof readRunnerSettings>
): Promise<ReturnType<typeof readRunnerSettings>> {
  const child = fork(join(__dirname, 'settings-child.js'), {
    execArgv: [],
    serialization: 'advanced',
  });
  // What keeps it from starting, such as too many open files, is told by this; there would be nothing to send to.
  await once(child, 'spawn');
  let answer: SettingsAnswer | undefined;
  child.once('message', (message) => {
    answer = message as SettingsAnswer;
  });
  const gone = Promise.all([once(child, 'disconnect'), once(child, 'exit')]);
  // A child that is gone before it has read them is told of below.
  child.send({ ...variables }, () => undefined);
  const [, [code, signal]] = await gone;
  if (!answer) throw new Error(`what reads the settings ended with ${code ?? signal}`);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.settings;
}
