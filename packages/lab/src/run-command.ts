import { say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { withLifecycle } from '@switchyard/launcher/process/lifecycle';
import { BENCH_OPTIONS, BENCHES } from './benches.js';
import type { Job } from './job.js';
import { REHEARSALS } from './rehearsals.js';

const BENCH = { noun: 'benchmark', jobs: BENCHES, options: BENCH_OPTIONS };
const REHEARSE = { noun: 'rehearsal', jobs: REHEARSALS, options: '' };

export async function runCommand(
  root: string,
  command: string,
  [name, ...args]: string[],
): Promise<void> {
  const code = await withLifecycle(
    async (life) => {
      const { noun, jobs, options } = command === 'bench' ? BENCH : REHEARSE;
      if (!name || name.startsWith('-')) return list(command, jobs, options);
      const job = jobs[name];
      if (job) return job.run(life, root, args);
      throw new UserError(`Unknown ${noun}: ${name}.`, `\`npm run ${command}\` lists the names.`);
    },
    { interruptedCode: 130 },
  );
  process.exit(code);
}

function list(command: string, jobs: Record<string, Job>, options: string): undefined {
  say(`npm run ${command} -- <name> …`);
  for (const [name, { does }] of Object.entries(jobs)) say(`  ${name.padEnd(17)} ${does}`);
  if (options) say(options);
}
