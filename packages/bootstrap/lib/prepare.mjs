// @ts-check
import path from 'node:path';
import { install } from './install.mjs';
import { waitForLock } from './lock.mjs';
import { runInGroup } from './run.mjs';
import { notice, printFailure, say } from './terminal.mjs';
import { UserError } from './user-error.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** @param {string} command */
export const interruptedCode = (command) => (['start', 'dev'].includes(command) ? 0 : 130);

/**
 * Installs the packages and compiles the package that runs the command. Exits if that fails or is
 * interrupted.
 * @param {string} root @param {string} command @param {string} [program] the folder of that package
 * @returns {Promise<(root: string, command: string, args: string[]) => Promise<void>>}
 */
export async function prepare(root, command, program = 'packages/launcher') {
  const interrupted = new AbortController();
  const onSignal = () => {
    if (interrupted.signal.aborted) return;
    say('\nStopping …');
    interrupted.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    await installAndCompile(root, program, interrupted.signal);
    const compiled = path.join(root, program, 'dist/run-command.js');
    const { runCommand } = await import(compiled);
    interrupted.signal.throwIfAborted();
    for (const name of SIGNALS) process.off(name, onSignal);
    return runCommand;
  } catch (error) {
    if (!interrupted.signal.aborted) printFailure(error);
    else say('Stopped.');
    return process.exit(interrupted.signal.aborted ? interruptedCode(command) : 1);
  }
}

/** @param {string} root @param {string} program @param {AbortSignal} signal */
async function installAndCompile(root, program, signal) {
  const release = await waitForLock(path.join(root, '.cache', 'build.lock'), {
    signal,
    onWait: ({ pid }) =>
      notice(`waiting for another install or build in this folder (process ${pid})`),
  });
  try {
    await install(root, signal);
    const tsc = 'node_modules/.bin/tsc';
    const { code, output } = await runInGroup(tsc, ['-b', program], { cwd: root, signal });
    if (code === 0) return;
    throw new UserError(`${program} could not be compiled.`, 'Correct the errors above.', output);
  } finally {
    release();
  }
}
