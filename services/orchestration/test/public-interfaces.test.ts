import { spawnSync } from 'node:child_process';
import { readRepository } from './read-repository';
import { importsOf, isCode, type SourceFile } from './source-rules';

const PACKAGE = '(?:pg|pg-[\\w-]+|@prisma/[\\w-]+|jest(?:-[\\w-]+)?|@jest/[\\w-]+)';
const isLibrary = (specifier: string) => new RegExp(`^(?:node:.+|${PACKAGE})$`).test(specifier);

const DOCUMENTED = /^_(?:sum|count|avg|min|max|zod|prisma_migrations)$/;

/** A public entry with types, for programs that load the WebAssembly file themselves. */
const ENTRY = '@prisma/schema-engine-wasm/schema_engine_bg';

const SETTABLE = /^process\.(?:env|exitCode|title)\b/;

function libraryNames({ text }: SourceFile): string {
  const clauses = text.matchAll(/\bimport\s+(?!type\b)([^;'"]+?)\s+from\s+['"]([^'"]+)['"]/g);
  const required = text.matchAll(/\bconst\s+([^=;]+?)\s*=\s*require\(['"]([^'"]+)['"]\)/g);
  const names = [...clauses, ...required]
    .filter(([, , specifier]) => isLibrary(specifier as string))
    .flatMap(([, clause]) =>
      (clause as string).replace(/\btype\s+\w+|\w+\s+as\b/g, '').match(/\w+/g),
    )
    .filter((name) => name !== null);
  return `(?:${['process', 'jest', 'expect', ...names].join('|')})`;
}

const matches = ({ text }: SourceFile, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([found]) => found);

interface Rule {
  title: string;
  find(file: SourceFile): string[];
  planted: string[];
  kept: string[];
}

const RULES: Rule[] = [
  {
    title: 'sets no V8 flag at run time',
    find: (file) => matches(file, /\bsetFlagsFromString\b/g),
    planted: ["import { setFlagsFromString } from 'node:v8';", 'v8.setFlagsFromString("--x");'],
    kept: ['v8.getHeapStatistics();'],
  },
  {
    title: 'uses no internal API of Node',
    find: (file) =>
      matches(file, /\bprocess\.(?:binding|_\w+)|\binternalBinding\b|['"](?:node:)?internal\//g),
    planted: [
      "process.binding('fs');",
      'process._getActiveHandles();',
      "require('internal/util');",
    ],
    kept: ['process.getActiveResourcesInfo();', "import '../internal/a';"],
  },
  {
    title: 'reads no member that begins with an underscore',
    find: (file) =>
      [...file.text.matchAll(/[\w)\]](?:\??\.(_[a-zA-Z]\w*)|(?:\?\.)?\[['"`](_\w+)['"`]\])/g)]
        .map(([, member, quoted]) => member ?? quoted ?? '')
        .filter((member) => !DOCUMENTED.test(member)),
    planted: ['pool._clients.length;', "client['_queryQueue']", 'query?._result'],
    kept: [
      'totals._sum.cents',
      "const types = ['_uuid'];",
      '({ _handleFile: 1 })',
      'const { a: _a } = b;',
    ],
  },
  {
    title: 'imports no internal file of a library',
    find: (file) =>
      importsOf(file)
        .map(({ specifier }) => specifier)
        .filter((specifier) => new RegExp(`^${PACKAGE}/`).test(specifier) && specifier !== ENTRY),
    planted: ["import { Query } from 'pg/lib/query';", "require('jest-runtime/build/index.js');"],
    kept: ["import { Pool } from 'pg';", "import { a } from './pg/lib';"],
  },
  {
    title: 'does not extend the types of a library',
    find: (file) =>
      matches(
        file,
        new RegExp(
          `\\bdeclare\\s+module\\s+['"](?:node:.+|${PACKAGE})['"]|\\bnamespace\\s+(?:NodeJS|jest)\\b`,
          'g',
        ),
      ),
    planted: ["declare module 'pg' {}", 'declare global { namespace NodeJS {} }'],
    kept: ["declare module 'express-session' {}"],
  },
  {
    title: 'changes no module, class or global of a library',
    find: (file) => {
      const name = libraryNames(file);
      const target = `(?<![\\w.'"\`/-])${name}(?:\\.\\w+)`;
      return [
        ...matches(file, new RegExp(`${target}+\\s*(?:[-+?|&]{0,2}=(?![=>])|\\+\\+|--)`, 'g')),
        ...matches(
          file,
          new RegExp(
            `\\b(?:Object\\.(?:assign|create|define\\w+|setPrototypeOf)|Reflect\\.(?:set|define)\\w*)\\(\\s*${name}\\b`,
            'g',
          ),
        ),
      ].filter((found) => !SETTABLE.test(found));
    },
    planted: [
      "import vm from 'node:vm';\nvm.compileFunction = () => null;",
      "import { Pool } from 'pg';\nPool.prototype.query = own;",
      "import { Pool as PgPool } from 'pg';\nObject.defineProperty(PgPool.prototype, 'query', {});",
      "import * as hooks from 'node:async_hooks';\nObject.assign(hooks, { AsyncLocalStorage });",
      "const pg = require('pg');\npg.defaults.parseInt8 = true;",
      'process.nextTick = later;',
      'jest.fn = own;',
    ],
    kept: [
      "import path from 'node:path';\nconst file = path.sep === '/' ? 1 : 2;",
      "import { type Client } from 'pg';\nconst a = { Client: 1 }; a.Client = 2;",
      'process.exitCode = 1;\nprocess.env.A = "b";',
      "import { Agent } from 'node:http';\nconst agent = new Agent(); agent.maxSockets = 1;",
    ],
  },
  {
    title: 'does not cast values of a library to other types',
    find: (file) => {
      const name = libraryNames(file);
      const own = new RegExp(
        `\\b${name}(?:\\.\\w+|\\([^()]*\\))*\\s+as\\s+(?:unknown|any|never)\\b`,
        'g',
      );
      const ofPackage = importsOf(file).some(({ specifier }) =>
        new RegExp(`^${PACKAGE}$`).test(specifier),
      );
      const any =
        /\bas\s+unknown\s+as\b|\bas\s+any(?=\s*[;,)\]}.])|\bas\s+(?!Error\b)[\w.]+(?:<[^>]*>)?\s*&\s*\{/g;
      return [...matches(file, own), ...(ofPackage ? matches(file, any) : [])];
    },
    planted: [
      "import { Pool } from 'pg';\nconst { wire } = client as unknown as { wire: Wire };",
      "import type { PoolClient } from 'pg';\nconst { a } = client as PoolClient & { a: number };",
      "import { PrismaPg } from '@prisma/adapter-pg';\n(adapter as any).client;",
      "import net from 'node:net';\n(net.createServer() as unknown as Handle).handle;",
      'process as unknown as { moduleLoadList: string[] };',
    ],
    kept: [
      "import { Pool } from 'pg';\nconst one = row as Row; // as any row\n",
      "import { Client } from 'pg';\nconst { code } = error as Error & { code: string };",
      "import { readFile } from 'node:fs';\nconst one = row as unknown as Row;",
    ],
  },
];

describe.each(RULES)('the rule that code $title', ({ find, planted, kept }) => {
  const code = readRepository().filter(
    ({ path }) => isCode(path) && !path.endsWith('/public-interfaces.test.ts'),
  );

  it('holds in every file', () => {
    expect(code.length).toBeGreaterThan(1_000);
    const found = code.flatMap((file) => find(file).map((text) => `${file.path}: ${text}`));
    expect(found).toEqual([]);
  });

  it.each(planted)('finds the planted violation %j', (text) => {
    expect(find({ path: 'a.ts', text })).not.toEqual([]);
  });

  it.each(kept)('accepts %j', (text) => {
    expect(find({ path: 'a.ts', text })).toEqual([]);
  });
});

describe('the rule against V8 flags', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const all = [...stdout.matchAll(/^ {2}--([\w-]+) \(/gm)].map(([, name]) => name as string);
  /**
   * Many programs have options such as `--log`, so only V8 flags of several words count; nearly all
   * flags have several.
   */
  const known = new Set([
    ...all.filter((name) => name.includes('-')),
    'maglev',
    'opt',
    'sparkplug',
  ]);
  const flagsIn = (text: string): string[] =>
    [...text.matchAll(/(?<![\w-])--(?:no-)?([a-z][\w-]*)(?:=[\w.]+)?/g)]
      .filter(([, name]) => known.has((name as string).replaceAll('_', '-')))
      .map(([flag]) => flag)
      .filter((flag) => flag !== '--max-semi-space-size=16');

  it('covers more than 300 flags of this version of Node', () => {
    expect(known.size).toBeGreaterThan(300);
  });

  it('holds in every file, and allows only --max-semi-space-size=16', () => {
    const files = readRepository().filter(
      ({ path }) => !path.endsWith('/public-interfaces.test.ts'),
    );
    const found = files.flatMap(({ path, text }) =>
      flagsIn(text).map((flag) => `${path}: ${flag}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    '--no-maglev',
    '--max-semi-space-size=4',
    '--max-old-space-size=200',
    '--heap_growing_percent=40',
    '"--expose-gc"',
    'NODE_OPTIONS=--single-threaded-gc',
  ])('finds %s', (text) => {
    expect(flagsIn(text)).toHaveLength(1);
  });

  it.each(['--max-semi-space-size=16', '--env-file=/keys', 'git --no-pager', 'x--no-maglev'])(
    'accepts %s',
    (text) => {
      expect(flagsIn(text)).toEqual([]);
    },
  );
});
