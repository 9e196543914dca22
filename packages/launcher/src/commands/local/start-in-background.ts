import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from '@switchyard/bootstrap/lock';
import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { end } from '../../process/end.js';
import type { Lifecycle } from '../../process/lifecycle.js';
import { loadEnvFile, makeDataDir, readSettings } from '../../settings.js';

export async function startInBackground({ stop }: Lifecycle, root: string): Promise<number> {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  makeDataDir(settings);
  const logFile = path.join(settings.logDir, 'switchyard.log');
  const log = openSync(logFile, 'w', 0o600);
  const [program = '', ...words] = process.argv.slice(1);
  const args = [program, ...words.filter((word) => word !== '--background')];
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let isOver = false;
  child.once('exit', () => {
    isOver = true;
  });
  child.once('error', () => {
    isOver = true;
  });
  for (;;) {
    const holder = readJson(settings.lockFile);
    if (holder?.pid === child.pid && holder?.urls) {
      say(`Switchyard is running in the background (process ${child.pid}).`);
      say(`  console  ${holder.urls.board}`);
      say(`  log      ${logFile}`);
      child.unref();
      return 0;
    }
    if (isOver) {
      const last = readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n');
      throw new UserError('Switchyard could not be started.', `See ${logFile}.`, last);
    }
    if (stop.aborted) {
      await end(child.pid);
      return 1;
    }
    await sleep(100);
  }
}
