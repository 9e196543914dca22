import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { problem } from './problem.mjs';
import { readJson, writeJson } from './process/lock.mjs';

const MAKERS = {
  RUN_TOKEN_SECRET: () => randomBytes(32).toString('base64url'),
  SESSION_SECRET: () => randomBytes(32).toString('base64url'),
  SECRETS_MASTER_KEY: () => randomBytes(32).toString('base64'),
};

/** Shared by API and worker. Authenticated mode gets none: there the operator must choose them. */
export function localSecrets({ authMode, dataDir, env }) {
  if (authMode !== 'local_trusted') return {};
  const file = path.join(dataDir, 'secrets.json');
  const kept = readJson(file);
  if (!kept && existsSync(file)) {
    throw problem(
      `${file} is damaged; the stored secrets were encrypted with its key.`,
      'Restore it from a backup, or delete it and enter the stored secrets again.',
    );
  }
  const secrets = { ...kept };
  for (const [name, make] of Object.entries(MAKERS)) secrets[name] ??= make();
  if (Object.keys(secrets).length !== Object.keys(kept ?? {}).length) writeJson(file, secrets);
  const unset = Object.keys(MAKERS).filter((name) => !env[name]);
  return Object.fromEntries(unset.map((name) => [name, secrets[name]]));
}
