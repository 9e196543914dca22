import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { commands, commandsOf, isMarked, NOT_RUN, PLAYED, ROOT } from './document-commands';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const RUN = [
  /^openssl rand -(base64|hex) \d+$/,
  /^node k8s\/render\.cjs overlays\/production$/,
  /^node -p /,
];

const isRun = (command: string) => RUN.some((each) => each.test(command));

it('every documented command runs in this test, or is in the list of exceptions', () => {
  const unknown = commands.filter(
    (one) => !isRun(one.command) && !isMarked([...PLAYED, ...NOT_RUN])(one),
  );
  expect(unknown).toEqual([]);
  expect(commands.length).toBeGreaterThan(200);
});

it('every exception in the list matches a documented command', () => {
  const idle = [...PLAYED, ...NOT_RUN].filter((mark) => !commands.some(isMarked([mark])));
  expect(idle.map(({ is }) => is.source)).toEqual([]);
});

it.each(PLAYED)('another test runs the command $is: $by', ({ by, shows }) => {
  expect(read(by).includes(shows)).toBe(true);
});

const harmless = [...new Set(commands.map(({ command }) => command).filter(isRun))];

it.each(harmless)('the documented command %s prints a result', (command) => {
  const said = execFileSync('sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
  expect(said.length).toBeGreaterThan(10);
});

const wordsOf = (pattern: RegExp) =>
  commands.flatMap(({ page, command }) =>
    [...command.matchAll(pattern)].map((match) => ({ page, word: match[1] as string })),
  );

it('documented commands use existing scripts, programs and services', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(16);
  const missing = (words: { page: string; word: string }[], has: (word: string) => boolean) =>
    words.filter(({ word }) => !has(word));
  expect(missing(wordsOf(/\bnpm run (?:-s )?([\w:-]+)/g), (name) => name in scripts)).toEqual([]);

  for (const [command, file] of [
    ['bench', 'packages/lab/src/benches.ts'],
    ['rehearse', 'packages/lab/src/rehearsals.ts'],
  ] as const) {
    const names = [...read(file).matchAll(/^ {2}'?([\w-]+)'?: \{/gm)].map(([, name]) => name);
    const named = wordsOf(new RegExp(`\\bnpm run ${command} -- ([\\w-]+)`, 'g'));
    expect(named.length).toBeGreaterThan(3);
    expect(missing(named, (name) => names.includes(name))).toEqual([]);
  }

  const sources = [
    'services/orchestration',
    'services/metrics',
    'packages/cli',
    'packages/db',
    'packages/runner',
    'packages/server',
  ];
  const isBin = (name: string) =>
    sources.some((folder) => existsSync(path.join(ROOT, folder, 'src/bin', `${name}.ts`)));
  expect(missing(wordsOf(/dist\/bin\/([\w-]+)\.js/g), isBin)).toEqual([]);

  const services = Object.keys(parse(read('docker-compose.yml'), { merge: true }).services);
  const named = wordsOf(/docker compose run (?:--?\S+ (?:(?:\/\S+|cat) )?)*([a-z][\w-]*)(?= |$)/g);
  expect(named.length).toBeGreaterThan(3);
  expect(missing(named, (name) => services.includes(name))).toEqual([]);

  const files = wordsOf(/(?:^| )node ((?:k8s|examples|packages)\/\S+\.mjs)/g);
  expect(missing(files, (file) => existsSync(path.join(ROOT, file)))).toEqual([]);
});

it('commandsOf finds commands in blocks and sentences, but not in blocks of other languages', () => {
  const page =
    '    a \\\n      b\n\nSay `npm run x -- y`, not `x`.\n\n```sh\nc\n```\n```py\nd\n```\n';
  expect(commandsOf(page)).toEqual(['a b', 'c', 'npm run x -- y']);
});
