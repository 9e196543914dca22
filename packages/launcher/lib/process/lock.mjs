import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identity, isSame } from './table.mjs';

export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** By rename: a reader, or a crash half-way, never sees half a file. */
export function writeJson(file, value, mode = 0o600) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(draft, file);
}

const own = (facts) => ({ pid: process.pid, started: identity(process.pid), ...facts });

/** `link` puts a complete file in place or fails: of two that begin at once only one gets it. */
export async function takeLock(file, facts = {}) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(own(facts)), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        linkSync(draft, file);
        if (attempt > 0) await sleep(100);
        if (readJson(file)?.pid === process.pid) return { taken: true, release: () => drop(file) };
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
        const holder = readJson(file);
        if (isSame(holder)) return { taken: false, holder };
        rmSync(file, { force: true });
      }
    }
    return { taken: false, holder: readJson(file) ?? {} };
  } finally {
    rmSync(draft, { force: true });
  }
}

export const updateLock = (file, facts) => writeJson(file, own(facts));

function drop(file) {
  if (readJson(file)?.pid === process.pid) rmSync(file, { force: true });
}

export async function waitForLock(file, { signal, onWait }) {
  for (let told = false; ; ) {
    const lock = await takeLock(file);
    if (lock.taken) return lock.release;
    if (!told) onWait(lock.holder);
    told = true;
    await sleep(200, undefined, { signal });
  }
}
