import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(__dirname, '../src');

/** What a runner must not have in its hands, and so does not load. */
const FORBIDDEN = [
  /^(context|config|app|pipeline|routes|call)\.ts$/,
  /^(state|features|access|work|observability)\//,
  /^@switchyard\/(db|queue|console)/,
  /^(pg|bullmq|ioredis|express|@prisma\/.*)$/,
];

/** Any of these is a fifteenth of a runner's memory and more, or names what is. */
const HEAVY = [
  /^@switchyard\/(server|types)$/,
  /^(undici|winston|zod|node:https|node:tls)$/,
  /(^|\/)runner\/runner-settings\.ts$/,
];

interface Imported {
  name: string;
  isLazy: boolean;
}

/** What a file loads when it is loaded, and what it loads later; types are gone by then. */
function importsOf(text: string): Imported[] {
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?from\s+)?'([^']+)';/gms);
  const lazy = text.matchAll(/\b(?:import|require)\(\s*'([^']+)'\s*\)/g);
  return [
    ...[...statements]
      .filter(([, clause]) => !/^\{(\s*type [^,}]+,?)+\s*\}\s*from/.test(clause ?? ''))
      .map(([, , name]) => ({ name: name as string, isLazy: false })),
    ...[...lazy].map(([, name]) => ({ name: name as string, isLazy: true })),
  ];
}

/** The source of a package of ours, or of a part of it that it exports. */
function sourceOf(name: string): string {
  const [, folder, part] = /^@switchyard\/([a-z]+)(\/.+)?$/.exec(name) ?? [];
  const root = join(SRC, '../../../packages', String(folder));
  const { exports: parts, main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const built: string = parts?.[`.${part ?? ''}`]?.default ?? main;
  return join(root, built.replace('dist/', 'src/').replace(/\.js$/, '.ts'));
}

function pathOf(file: string, name: string): string {
  if (name.startsWith('@')) return sourceOf(name);
  const path = join(dirname(file), name.replace(/\.js$/, ''));
  const found = [`${path}.ts`, join(path, 'index.ts')].find((one) => existsSync(one));
  if (!found) throw new Error(`${relative(SRC, file)} imports ${name}, which is not there`);
  return found;
}

/** All that is reached from some files, through packages of ours too: files and names of packages, each with the file that imports it. */
function reachedFrom(begin: string[], { withLazy }: { withLazy: boolean }): Map<string, string> {
  const reached = new Map(begin.map((file) => [file, 'the beginning']));
  const waiting = [...begin];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { name, isLazy } of importsOf(readFileSync(file, 'utf8'))) {
      if (isLazy && !withLazy) continue;
      const isOurs = /^\.|^@switchyard\//.test(name);
      for (const found of isOurs ? [name, pathOf(file, name)] : [name]) {
        if (found.startsWith('.') || reached.has(found)) continue;
        reached.set(found, relative(SRC, file));
        if (found.startsWith('/')) waiting.push(found);
      }
    }
  }
  return new Map([...reached].map(([found, by]) => [shown(found), by]));
}

const shown = (found: string) => (found.startsWith(SRC) ? relative(SRC, found) : found);

const filesBelow = (folder: string): string[] =>
  readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(SRC, folder, name));

const PROGRAM = join(SRC, 'bin/runner.ts');
/** Loaded once the settings have been read. */
const RUNNER = join(SRC, 'runner/run-runner.ts');
/** Loaded with the first run. */
const GATEWAY = join(SRC, 'runner/gateway/open-gateway.ts');

describe('the runner', () => {
  const matching = (reached: Map<string, string>, rules: RegExp[]) =>
    [...reached].filter(([name]) => rules.some((rule) => rule.test(name)));

  it('knows no database, no queue, no key, and nothing of what the server is made of', () => {
    const reached = reachedFrom([PROGRAM, ...filesBelow('runner')], { withLazy: true });
    expect(reached.size).toBeGreaterThan(60);
    expect(matching(reached, FORBIDDEN)).toEqual([]);
  });

  it.each([
    ['before its first run', [PROGRAM, RUNNER]],
    ['with it', [PROGRAM, RUNNER, GATEWAY]],
  ])('loads little %s', (_when, begin) => {
    const reached = reachedFrom(begin, { withLazy: false });
    expect(reached.has('runner/start-runner.ts')).toBe(true);
    expect(matching(reached, HEAVY)).toEqual([]);
  });

  it('is found out by an import, a dynamic one too, and not by a type', () => {
    const names = (text: string) => importsOf(text).map(({ name }) => name);
    expect(names("import { a } from './a';\nexport * from './b';\nimport './c';")).toEqual([
      './a',
      './b',
      './c',
    ]);
    expect(names("import {\n  type A,\n  b,\n} from '@switchyard/db';")).toEqual([
      '@switchyard/db',
    ]);
    expect(names("const a = await import('./a.js');")).toEqual(['./a.js']);
    expect(names("const a = require('./a') as A;")).toEqual(['./a']);
    expect(names("import type { A } from './a';\nimport { type B } from './b';")).toEqual([]);
  });
});
