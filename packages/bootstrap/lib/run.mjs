// @ts-check
import { spawn } from 'node:child_process';

const KEPT = 200_000;

/**
 * Runs a tool and returns its output. The tool has a separate process group, so that a terminal's
 * Ctrl-C only reaches this process; `signal` ends the whole group.
 * @param {string} command @param {string[]} args
 * @param {{ cwd: string; env?: NodeJS.ProcessEnv; signal: AbortSignal }} options
 * @returns {Promise<{ code: number; output: string }>}
 */
export function runInGroup(command, args, { signal, ...options }) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(command, args, {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-KEPT);
      });
    }
    const abort = () => child.pid && signalGroup(child.pid, 'SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    /** @param {number} code */
    const done = (code) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code, output });
    };
    child.once('error', (error) => {
      output += String(error);
      done(127);
    });
    child.once('close', (code) => done(code ?? 1));
  });
}

/** @param {number} pid @param {NodeJS.Signals} signal */
export function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
