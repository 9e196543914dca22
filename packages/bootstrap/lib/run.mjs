// @ts-check
import { spawn } from 'node:child_process';

const KEPT = 200_000;

/**
 * Runs a tool to its end and returns its output. It has its own process group, so that a terminal's
 * Ctrl-C only reaches this process, which decides the order; `signal` ends it with all below it.
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

/** Returns false if no process of the group is left. @param {number} pid @param {NodeJS.Signals} signal */
export function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
