import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { UserError } from '@switchyard/bootstrap/user-error';
import { LOCAL_SECRETS, OWN_SECRETS } from '@switchyard/server/local-secrets';
import type { Settings } from './settings.js';

export function localSecrets({
  authMode,
  dataDir,
  env,
}: Pick<Settings, 'authMode' | 'dataDir' | 'env'>): Record<string, string> {
  const makers = authMode === 'local_trusted' ? { ...LOCAL_SECRETS, ...OWN_SECRETS } : OWN_SECRETS;
  const file = path.join(dataDir, 'secrets.json');
  const kept = readJson(file);
  if (!kept && existsSync(file)) {
    throw new UserError(
      `${file} is damaged; the stored secrets were encrypted with its key.`,
      'Restore it from a backup, or delete it and enter the stored secrets again.',
    );
  }
  const secrets = { ...kept };
  for (const [name, make] of Object.entries(makers)) secrets[name] ??= make();
  if (Object.keys(secrets).length !== Object.keys(kept ?? {}).length) writeJson(file, secrets);
  const names = [...Object.keys(makers), 'SECRETS_MASTER_KEY_OLD'];
  const unset = names.filter((name) => secrets[name] && !env[name]);
  return Object.fromEntries(unset.map((name) => [name, secrets[name]]));
}
