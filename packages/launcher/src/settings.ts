import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { notice } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { parseSettings, readTextFile, resolveVariables } from '@switchyard/settings';

const MODES = ['local_trusted', 'authenticated'];

export interface Places {
  dataDir: string;
  runDir: string;
  logDir: string;
  lockFile: string;
}

export interface Settings extends Places {
  root: string;
  env: NodeJS.ProcessEnv;
  authMode: string;
  host: string;
}

export function readSettings(root: string, env: NodeJS.ProcessEnv): Settings {
  const authMode = env.AUTH_MODE || 'local_trusted';
  if (!MODES.includes(authMode)) {
    throw new UserError(
      `AUTH_MODE=${authMode} is not valid.`,
      `Set AUTH_MODE to ${MODES.join(' or ')}.`,
    );
  }
  const host = env.HOST || '127.0.0.1';
  return { root, env, authMode, host, ...placesIn(path.resolve(root, env.DATA_DIR || '.data')) };
}

export function placesIn(dataDir: string): Places {
  const runDir = path.join(dataDir, 'run');
  return {
    dataDir,
    runDir,
    logDir: path.join(dataDir, 'logs'),
    lockFile: path.join(runDir, 'launcher.json'),
  };
}

const loaded = new Set<string>();

/**
 * @throws UserError for an unreadable file or line, because ignoring it would silently use the
 * default
 */
export function loadEnvFile(root: string): void {
  if (loaded.has(root)) return;
  loaded.add(root);
  const file = path.join(root, '.env');
  const settings = existsSync(file) ? settingsIn(file) : {};
  for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
  resolveEnvironment(process.env);
}

function settingsIn(file: string): Record<string, string> {
  const { variables, unreadable, cut } = parseSettings(textOf(file));
  if (unreadable.length > 0) {
    throw new UserError(
      `.env: line ${unreadable.join(', ')} is neither NAME=value nor a comment.`,
      'Correct the line, or put a # before it, and start again.',
    );
  }
  for (const name of cut)
    notice(`.env: the value of ${name} ends at the #; put quotes around a value that contains #`);
  return variables;
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`${file} cannot be read (${code}).`, 'Correct it and start again.');
  }
}

function resolveEnvironment(env: NodeJS.ProcessEnv): void {
  const { variables, problems } = resolveVariables(env);
  const [first] = Object.entries(problems);
  if (first) throw new UserError(`${first[0]} ${first[1]}.`, 'Correct it and start again.');
  for (const name of Object.keys(env)) if (env[name] && !(name in variables)) delete env[name];
  Object.assign(env, variables);
}

/**
 * The mode is 0711: PostgreSQL's account must pass through the folder if root starts it, but other
 * accounts may not list the folder.
 */
export function makeDataDir({ dataDir, runDir, logDir }: Places): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    for (const folder of [runDir, logDir]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const folder of [dataDir, runDir, logDir]) accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      `The data folder ${dataDir} cannot be written (${code}).`,
      code === 'ENOSPC'
        ? 'The disk is full: free some space and start again.'
        : 'Set DATA_DIR to a folder that this account can write to, or correct its owner.',
    );
  }
}

export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
