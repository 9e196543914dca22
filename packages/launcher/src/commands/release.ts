import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say, step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { lt } from 'semver';
import type { Lifecycle } from '../process/lifecycle.js';
import { runInTerminal, runOrFail } from '../process/run.js';
import { datedChangelog, withVersion } from '../release-files.js';
import { pack } from './pack.js';

const USAGE = 'npm run release -- <version> [--tested], or npm run release -- --pack [folder]';

export async function release(life: Lifecycle, root: string, words: string[]): Promise<number> {
  if (words[0] === '--pack' && words.length <= 2) {
    await pack(
      life,
      root,
      path.resolve(process.env.INIT_CWD ?? root, words[1] ?? '.cache/release'),
    );
    return 0;
  }
  const { version, tested } = readWords(words);
  await step('check the working tree', () => check(root, version));
  const changes = await filesOf(root, version);
  const write = (of: 'before' | 'text') => {
    for (const { file, [of]: text } of changes) writeFileSync(path.join(root, file), text);
  };
  let isDone = false;
  try {
    write('text');
    const script = path.join(root, 'packages/bootstrap/run.mjs');
    const args = [script, 'test', ...(tested ? READ_THE_VERSION : [])];
    const code = await runInTerminal(life, process.execPath, args, { cwd: root });
    if (code !== 0) throw new UserError('The tests failed; nothing was changed.', 'Correct them.');
    await step('commit and tag', async () => {
      const files = changes.map(({ file }) => file);
      await git(root, 'commit', '--quiet', '--message', `Release ${version}`, '--', ...files);
      isDone = true;
      await git(root, 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
    });
  } finally {
    if (!isDone) write('before');
  }
  say(`\n  Release ${version} is committed and tagged. To publish it:\n`);
  say(`    git push --atomic origin HEAD v${version}\n`);
  return 0;
}

const READ_THE_VERSION = ['k8s/test/[a-z-]+\\.test', 'document-commands'];

function readWords(words: string[]): { version: string; tested: boolean } {
  try {
    const options = { tested: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [version, ...more] = positionals;
    if (version && more.length === 0 && /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version)) {
      return { version, tested: values.tested };
    }
  } catch {}
  throw new UserError('The version must have the form 1.2.3 or 1.2.3-rc.1.', USAGE);
}

async function check(root: string, version: string): Promise<void> {
  const changed = await git(root, 'status', '--porcelain');
  if (changed) throw new UserError('There are uncommitted changes.', 'Commit them.');
  if (await git(root, 'tag', '--list', `v${version}`)) {
    throw new UserError(`The tag v${version} already exists.`, 'Choose another version.');
  }
  const now = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version as string;
  if (lt(version, now)) {
    throw new UserError(`${version} is lower than ${now}, the current version.`, USAGE);
  }
}

async function filesOf(root: string, version: string) {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const now = JSON.parse(read('package.json')).version as string;
  const tracked = (
    await git(
      root,
      'ls-files',
      '*package.json',
      'docker-compose.yml',
      'k8s/components',
      'k8s/overlays',
      'k8s/chart/Chart.yaml',
      'docs',
      '*.md',
      '*Dockerfile',
    )
  )
    .split('\n')
    .filter((file) =>
      /package\.json$|docker-compose\.yml$|kustomization\.yaml$|Chart\.yaml$|\.md$|\/Dockerfile$/.test(
        file,
      ),
    )
    .filter((file) => file !== 'CHANGELOG.md');
  const texts = [...new Set(tracked)].map((file) => {
    const before = read(file);
    return { file, before, text: withVersion(file, before, now, version) };
  });
  const changed = texts.filter(({ before, text }) => before !== text);
  const today = new Date().toISOString().slice(0, 10);
  const before = read('CHANGELOG.md');
  const text = datedChangelog(before, version, today);
  return [...changed, { file: 'CHANGELOG.md', before, text }];
}

async function git(root: string, ...args: string[]): Promise<string> {
  const failure = [`git ${args[0]} failed.`, 'See the reason above.'] as const;
  return (await runOrFail('git', args, { cwd: root }, failure)).trim();
}
