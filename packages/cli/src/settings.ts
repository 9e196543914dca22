import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CommandError } from './failure.js';

/** The settings that `login` and `company use` save. The token is only valid for `url`. */
export interface SavedSettings {
  url?: string;
  token?: string;
  companyId?: string;
}

export interface Connection {
  url: string;
  token: string | undefined;
  companyId: string | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:3100';

const settingsFile = (env: NodeJS.ProcessEnv) => {
  const home = env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config');
  return path.join(home, 'switchyard', 'settings.json');
};

export function readSettings(env: NodeJS.ProcessEnv = process.env): SavedSettings {
  const file = settingsFile(env);
  try {
    const saved: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof saved === 'object' && saved !== null) return saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
  }
  throw new CommandError(`${file} cannot be read. Delete it and sign in again.`);
}

export function saveSettings(settings: SavedSettings, env: NodeJS.ProcessEnv = process.env): void {
  const file = settingsFile(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, file);
}

export const forgetSettings = (env: NodeJS.ProcessEnv = process.env): void =>
  rmSync(settingsFile(env), { force: true });

/**
 * Returns the URL, credential and company to use. Inside a run these are the run's, unless
 * SWITCHYARD_TOKEN is set. Otherwise options override SWITCHYARD_* variables, which override saved
 * settings. A saved token is only sent to the URL that it was saved for.
 */
export function resolveConnection(
  options: { url?: string; company?: string },
  env: NodeJS.ProcessEnv = process.env,
): Connection {
  const isRun = env.SERVICE_API_KEY && env.SERVICE_API_URL && !env.SWITCHYARD_TOKEN;
  if (isRun) {
    if (options.url !== undefined) {
      throw new CommandError(
        "Inside a run, --url requires SWITCHYARD_TOKEN: the run token is only valid for the run's address.",
      );
    }
    return {
      url: parseAddress(env.SERVICE_API_URL as string),
      token: env.SERVICE_API_KEY,
      companyId: options.company || env.SERVICE_COMPANY_ID,
    };
  }
  const saved = readSettings(env);
  const url = parseAddress(options.url || env.SWITCHYARD_URL || saved.url || DEFAULT_URL);
  const isSaved = saved.url !== undefined && url === parseAddress(saved.url);
  return {
    url,
    token: env.SWITCHYARD_TOKEN || (isSaved ? saved.token : undefined),
    companyId: options.company || env.SWITCHYARD_COMPANY || (isSaved ? saved.companyId : undefined),
  };
}

function parseAddress(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandError(`"${url}" must be an address such as ${DEFAULT_URL}.`);
  }
  return url.replace(/\/+$/, '');
}
