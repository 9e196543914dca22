import { isSame } from '@switchyard/bootstrap/identity';
import { readJson } from '@switchyard/bootstrap/lock';
import { say } from '@switchyard/bootstrap/terminal';
import { end } from '../../process/end.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import { loadEnvFile, readSettings } from '../../settings.js';

const WAIT_MS = 90_000;

export async function stop({ now }: Lifecycle, root: string): Promise<number> {
  loadEnvFile(root);
  const { dataDir, lockFile } = readSettings(root, process.env);
  const holder = readJson(lockFile);
  if (!isSame(holder)) {
    say(`Switchyard is not running on ${dataDir}.`);
    return 1;
  }
  await end(holder.pid, { waitMs: WAIT_MS, now });
  say('Switchyard has stopped.');
  return 0;
}
