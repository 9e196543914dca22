import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withCleanup } from '../shared/cleanup.mjs';
import { OWN } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';

const FOLDER = join(OWN, 'packages/lab/bench/metrics');

export function bench(serverUrl, { scale }) {
  return withCleanup(async (onEnd) => {
    const database = await scratchDatabase(serverUrl, 'history', { product: 'metrics' });
    onEnd(() => database.drop());
    for (const words of [['seed.mjs', String(scale)], ['history.mjs']]) {
      const [file, ...rest] = words;
      const child = spawn(process.execPath, [join(FOLDER, file), ...rest], {
        env: { PATH: process.env.PATH, DATABASE_URL: database.url },
        stdio: 'inherit',
      });
      const [code] = await once(child, 'exit');
      if (code !== 0) return false;
    }
    return true;
  });
}
