import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { UserError } from '@switchyard/bootstrap/user-error';
import { LOCAL_SECRETS } from '@switchyard/server/local-secrets';
import type { Settings } from './settings.js';

/** Shared by API and worker. Authenticated mode gets none: there the operator must choose them. */
export function localSecrets({
  authMode,
  dataDir,
  env,
}: Pick<Settings, 'authMode' | 'dataDir' | 'env'>): Record<string, string> {
  if (authMode !== 'local_trusted') return {};
  const file = path.join(dataDir, 'secrets.json');
  const kept = readJson(file);
  if (!kept && existsSync(file)) {
    throw new UserError(
      `${file} is damaged; the stored secrets were encrypted with its key.`,
      'Restore it from a backup, or delete it and enter the stored secrets again.',
    );
  }
  const secrets = { ...kept };
  for (const [name, make] of Object.entries(LOCAL_SECRETS)) secrets[name] ??= make();
  if (Object.keys(secrets).length !== Object.keys(kept ?? {}).length) writeJson(file, secrets);
  const unset = Object.keys(LOCAL_SECRETS).filter((name) => !env[name]);
  return Object.fromEntries(unset.map((name) => [name, secrets[name]]));
}
