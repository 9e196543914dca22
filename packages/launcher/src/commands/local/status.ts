import { isSame } from '@switchyard/bootstrap/identity';
import { readJson } from '@switchyard/bootstrap/lock';
import { say } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../../process/lifecycle.js';
import { releaseVersion } from '../../program-file.js';
import { statusOf } from '../../services/start.js';
import { loadEnvFile, readSettings } from '../../settings.js';

export async function status(_: Lifecycle, root: string): Promise<number> {
  loadEnvFile(root);
  const { dataDir, lockFile } = readSettings(root, process.env);
  const holder = readJson(lockFile);
  if (!isSame(holder)) {
    say(`Switchyard ${releaseVersion} is not running on ${dataDir}.`);
    return 1;
  }
  if (!holder.urls) {
    say(`Switchyard ${releaseVersion} is starting (process ${holder.pid}).`);
    return 1;
  }
  say(`Switchyard ${releaseVersion} is running on ${dataDir} (process ${holder.pid}):`);
  const { board, worker, runner, metrics } = holder.urls as Record<string, string>;
  const processes = Object.entries({ board, worker, runner, metrics });
  const found = await Promise.all(processes.map(([, url]) => statusOf(`${url}/readyz`)));
  for (const [at, [name, url]] of processes.entries()) {
    say(`  ${name.padEnd(8)} ${url}  ${found[at] === 200 ? 'ready' : `not ready (${found[at]})`}`);
  }
  return found.every((one) => one === 200) ? 0 : 1;
}
