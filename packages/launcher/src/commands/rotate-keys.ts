import path from 'node:path';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { LOCAL_SECRETS, OWN_SECRETS } from '@switchyard/server/local-secrets';
import { provideDatabases } from '../databases.js';
import { lockDataDir } from '../lock-data-dir.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { runOrFail } from '../process/run.js';
import { programFile } from '../program-file.js';
import { loadEnvFile, readSettings } from '../settings.js';

export async function rotateKeys(life: Lifecycle, root: string): Promise<number> {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  const { dataDir, env } = settings;
  const file = path.join(dataDir, 'secrets.json');
  const { SECRETS_MASTER_KEY_OLD: unfinished, ...keys } = readJson(file) ?? {};
  const makers = { ...LOCAL_SECRETS, ...OWN_SECRETS };
  const names = (Object.keys(makers) as (keyof typeof makers)[]).filter((name) => keys[name]);
  const set = Object.keys(makers).filter((name) => env[name]);
  if (names.length === 0 || set.length > 0) {
    throw new UserError(
      set.length > 0
        ? `${set.join(', ')} is not in ${file}, so this command cannot replace it.`
        : `${file} contains no keys.`,
      'Follow docs/operating.md, "Changing secrets".',
    );
  }
  await lockDataDir(life, settings);
  const next = Object.fromEntries(names.map((name) => [name, makers[name]()]));
  const previous = unfinished ?? keys.SECRETS_MASTER_KEY;
  if (!unfinished) writeJson(file, { ...keys, ...next, SECRETS_MASTER_KEY_OLD: previous });
  const current = readJson(file);
  const { orchestration } = (await provideDatabases(life, settings)).databases;
  const own = {
    ...env,
    DATABASE_URL: orchestration.url,
    SECRETS_MASTER_KEY: current.SECRETS_MASTER_KEY,
    SECRETS_MASTER_KEY_OLD: previous,
  };
  const bin = programFile(root, 'services/orchestration/dist/bin/admin.js');
  const options = { cwd: root, env: own, signal: life.stop };
  const failure = ['The data keys could not be rewrapped.', 'Fix the cause, then repeat.'] as const;
  say(await runOrFail(process.execPath, [bin, 'rewrap-secrets'], options, failure));
  const { SECRETS_MASTER_KEY_OLD: _, ...done } = current;
  writeJson(file, done);
  say(`replaced in ${file}: ${names.join(', ')}. Back up this file again.`);
  return 0;
}
