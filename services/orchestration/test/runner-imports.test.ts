import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(__dirname, '../src');

const FORBIDDEN = [
  /^(context|config|app|pipeline|routes|call)\.ts$/,
  /^(state|features|access|work|observability)\//,
  /^@switchyard\/(db|queue|console)/,
  /^(pg|bullmq|ioredis|express|@prisma\/.*)$/,
];

function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?from\s+)?'([^']+)';/gms);
  const dynamic = text.matchAll(/\b(?:import|require)\(\s*'([^']+)'\s*\)/g);
  return [
    ...[...statements]
      .filter(([, clause]) => !/^\{(\s*type [^,}]+,?)+\s*\}\s*from/.test(clause ?? ''))
      .map(([, , name]) => name as string),
    ...[...dynamic].map(([, name]) => name as string),
  ];
}

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

/**
 * Returns all files and packages that the files in `begin` import, directly or indirectly, also
 * through our packages, each with its importer.
 */
function reachedFrom(begin: string[]): Map<string, string> {
  const reached = new Map(begin.map((file) => [file, 'the beginning']));
  const waiting = [...begin];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const name of importsOf(readFileSync(file, 'utf8'))) {
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

describe('the code of the runner', () => {
  it('imports no code for the database, the queue or keys, and no code of the server', () => {
    const reached = reachedFrom([join(SRC, 'bin/runner.ts'), ...filesBelow('runner')]);
    expect(reached.size).toBeGreaterThan(60);
    expect([...reached].filter(([name]) => FORBIDDEN.some((rule) => rule.test(name)))).toEqual([]);
  });
});

describe('importsOf', () => {
  it('returns static and dynamic imports, but no type imports', () => {
    expect(importsOf("import { a } from './a';\nexport * from './b';\nimport './c';")).toEqual([
      './a',
      './b',
      './c',
    ]);
    expect(importsOf("import {\n  type A,\n  b,\n} from '@switchyard/db';")).toEqual([
      '@switchyard/db',
    ]);
    expect(importsOf("const a = await import('./a.js');")).toEqual(['./a.js']);
    expect(importsOf("const a = require('./a') as A;")).toEqual(['./a']);
    expect(importsOf("import type { A } from './a';\nimport { type B } from './b';")).toEqual([]);
  });
});
