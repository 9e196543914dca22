import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { problem } from './problem.mjs';

const MODES = ['local_trusted', 'authenticated'];

/** What the user asked for, from the environment (or a .env file, which never overrides it). */
export function readSettings(root, env) {
  const authMode = env.AUTH_MODE || 'local_trusted';
  if (!MODES.includes(authMode)) {
    throw problem(`AUTH_MODE=${authMode} is unknown.`, `Set AUTH_MODE to ${MODES.join(' or ')}.`);
  }
  const host = env.HOST || '127.0.0.1';
  const dataDir = path.resolve(root, env.DATA_DIR || '.data');
  return {
    root,
    env,
    authMode,
    host,
    dataDir,
    runDir: path.join(dataDir, 'run'),
    logDir: path.join(dataDir, 'logs'),
    lockFile: path.join(dataDir, 'run', 'launcher.json'),
  };
}

export function loadEnvFile(root) {
  try {
    process.loadEnvFile(path.join(root, '.env'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** 0711: another account's PostgreSQL passes through when root starts us, and nobody can list it. */
export function makeDataDir({ dataDir, runDir, logDir }) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    for (const folder of [runDir, logDir]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const folder of [dataDir, runDir, logDir]) accessSync(folder, constants.W_OK);
  } catch (error) {
    throw problem(
      `The data folder ${dataDir} cannot be written (${error.code}).`,
      error.code === 'ENOSPC'
        ? 'The disk is full: free some space and start again.'
        : 'Set DATA_DIR to a folder that this account may write to, or correct its owner.',
    );
  }
}

/** An address to call, where HOST may be a wildcard to listen on. */
export function reachable(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
