import { spawn } from 'node:child_process';
import { killTree } from './end.mjs';

const KEEP = 200_000;

/**
 * A tool that runs to its end with its output kept. It has its own process group, so that a terminal's
 * Ctrl-C reaches the launcher alone and the launcher decides the order; `signal` ends it with all below it.
 */
export function run(command, args, { cwd, env, uid, gid, signal, onOutput } = {}) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      uid,
      gid,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const take = (chunk) => {
      output = (output + chunk).slice(-KEEP);
      onOutput?.(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const abort = () => child.pid && killTree(child.pid);
    signal?.addEventListener('abort', abort, { once: true });
    const done = (code) => {
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code, output });
    };
    child.once('error', (error) => {
      output += String(error);
      done(127);
    });
    child.once('close', (code) => done(code ?? 1));
  });
}
