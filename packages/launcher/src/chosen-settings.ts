import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJson } from '@switchyard/bootstrap/lock';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Settings } from './settings.js';

const CHOSEN = ['PUBLIC_URL', 'SESSION_SECRET', 'RUN_TOKEN_SECRET', 'SECRETS_MASTER_KEY'];

export function assertChosen(
  settings: Pick<Settings, 'root' | 'authMode' | 'dataDir' | 'env'>,
): void {
  const { root, authMode, env } = settings;
  if (authMode !== 'authenticated') return;
  const missing = CHOSEN.filter((name) => !env[name]);
  if (missing.length === 0) return;
  const commands = missing.map((name) => `  ${commandFor(name, settings)}`);
  throw new UserError(
    `AUTH_MODE=authenticated requires ${missing.join(', ')}.`,
    `Add the missing settings in ${root} and start again; .env.example describes each:\n${commands.join('\n')}`,
  );
}

export function otherKeyNotice({ dataDir, env }: Pick<Settings, 'dataDir' | 'env'>): string | null {
  const file = path.join(dataDir, 'secrets.json');
  const kept = readJson(file)?.SECRETS_MASTER_KEY;
  const { SECRETS_MASTER_KEY: given, SECRETS_MASTER_KEY_OLD: old } = env;
  if (!kept || !given || given === kept || old === kept) return null;
  return `SECRETS_MASTER_KEY differs from the key in ${file}: secrets stored with that key cannot be decrypted`;
}

function commandFor(name: string, { dataDir, env }: Pick<Settings, 'dataDir' | 'env'>): string {
  if (name === 'PUBLIC_URL') {
    const port = env.API_PORT || '3100';
    const fixed = env.API_PORT ? '' : `\\nAPI_PORT=${port}`;
    return `printf '\\nPUBLIC_URL=http://127.0.0.1:${port}${fixed}\\n' >> .env`;
  }
  const kept = path.join(dataDir, 'secrets.json');
  const isKept = name === 'SECRETS_MASTER_KEY' && existsSync(kept);
  const made = isKept
    ? `node -p 'require("${kept}").SECRETS_MASTER_KEY'`
    : 'openssl rand -base64 32';
  return `printf '\\n${name}=%s\\n' "$(${made})" >> .env`;
}
