import { readFileSync } from 'node:fs';
import path from 'node:path';
import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { buildProjects } from '@switchyard/launcher/commands/build';
import type { Lifecycle } from '@switchyard/launcher/process/lifecycle';
import { runInTerminal } from '@switchyard/launcher/process/run';
import { provideServers } from '@switchyard/launcher/temporary-servers';
import setUp from '@switchyard/testing/global-setup';
import tearDown from '@switchyard/testing/global-teardown';

const FOLDER = 'packages/lab/mutation';
const STRYKER = 'packages/lab/node_modules/@stryker-mutator/core/bin/stryker.js';

export async function rehearseMutants(
  life: Lifecycle,
  root: string,
  [chosen]: string[],
): Promise<number> {
  const parts = Object.keys(
    JSON.parse(readFileSync(path.join(root, FOLDER, 'parts.json'), 'utf8')) as object,
  );
  if (chosen && !parts.includes(chosen)) {
    throw new UserError(`Unknown part: ${chosen}.`, `Choose one of ${parts.join(', ')}.`);
  }
  const { variables } = await provideServers(life, root, () => buildProjects(root, [], life.stop));
  for (const [name, value] of Object.entries(variables)) process.env[name] = value;
  await setUp.default();
  try {
    let isGood = true;
    for (const part of chosen ? [chosen] : parts) {
      for (const kind of ['code', 'sql']) {
        say(`mutants of ${part}: ${kind}`);
        const env = { ...process.env, MUTANTS: `${part} ${kind}` };
        const args = [STRYKER, 'run', `${FOLDER}/stryker.config.mjs`];
        const code = await runInTerminal(life, process.execPath, args, { cwd: root, env });
        isGood &&= code === 0;
      }
    }
    return isGood ? 0 : 1;
  } finally {
    await tearDown.default();
  }
}
