// @ts-check
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity, isSame } from './identity.mjs';

/** @typedef {{ pid?: number; started?: string; urls?: Record<string, string> }} Holder */

/**
 * Takes a lock that is released when its holder is killed, but not while the holder is suspended.
 * `link` creates a complete file or fails, so only one of two concurrent callers gets the lock.
 * @param {string} file
 * @returns {Promise<{ taken: boolean; holder: Holder; release: () => void }>}
 */
export async function takeLock(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(own()), { mode: 0o600 });
  const release = () => drop(file);
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        linkSync(draft, file);
        if (attempt > 0) await sleep(100);
        if (readJson(file)?.pid === process.pid) return { taken: true, holder: own(), release };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
        const holder = readJson(file);
        if (isSame(holder)) return { taken: false, holder, release };
        rmSync(file, { force: true });
      }
    }
    return { taken: false, holder: readJson(file) ?? {}, release };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {string} file @param {{ signal: AbortSignal; onWait: (holder: Holder) => void }} options */
export async function waitForLock(file, { signal, onWait }) {
  for (let isWaiting = false; ; isWaiting = true) {
    const lock = await takeLock(file);
    if (lock.taken) return lock.release;
    if (!isWaiting) onWait(lock.holder);
    await sleep(200, undefined, { signal });
  }
}

/** @param {string} file @param {Omit<Holder, 'pid' | 'started'>} facts */
export const updateLock = (file, facts) => writeJson(file, { ...own(), ...facts });

const own = () => ({ pid: process.pid, started: identity(process.pid) });

/** @param {string} file */
function drop(file) {
  if (readJson(file)?.pid === process.pid) rmSync(file, { force: true });
}

/** @param {string} file */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Writes a draft and renames it, so that no reader and no crash finds a partial file.
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value, mode = 0o600) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(draft, file);
}
