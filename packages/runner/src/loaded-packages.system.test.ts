import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = `
  for (const file of ['run-runner', 'runner-settings']) require('./dist/' + file + '.js');
  console.log(JSON.stringify(Object.keys(require.cache)));
  process.exit(0)`;

const packagesIn = (files: string[]) =>
  files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '');

describe('the process of a runner', () => {
  it('loads no database client, queue or web framework, not even through other packages', () => {
    const output = execFileSync(process.execPath, ['-e', PROGRAM], { cwd: join(__dirname, '..') });
    const loaded = new Set(packagesIn(JSON.parse(String(output)) as string[]));
    expect(loaded).toContain('winston');
    const refused = ['pg', 'express', 'bullmq', 'ioredis', '@prisma/client', 'multer'];
    expect(refused.filter((name) => loaded.has(name))).toEqual([]);
  });
});
