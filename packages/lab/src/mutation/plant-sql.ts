import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadTypeScript } from './hot-tests.js';
import { sqlMutations } from './sql-mutations.js';

const DECLARATION = /statement\(\s*'([^']+)'/g;

interface Declared {
  name: string;
  text: string;
}

/**
 * Writes a module with one `false` for each mutation of a statement that `files` declare. Stryker
 * changes it to `true`, which changes the statement's text. Returns the module's path.
 */
export async function plantSql(
  root: string,
  files: readonly string[],
  into: string,
): Promise<string> {
  await loadTypeScript(root);
  const require = createRequire(path.join(root, 'package.json'));
  const names = new Set<string>();
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const own = [...source.matchAll(DECLARATION)].map(([, name = '']) => name);
    if (own.length > 0) require(path.join(root, file));
    for (const name of own) names.add(name);
  }
  const { declaredStatements } = require(path.join(root, DB)) as {
    declaredStatements(): readonly Declared[];
  };
  const plants = declaredStatements()
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, text }) => sqlMutations(text).map((mutation) => plant(name, mutation)));
  const toRoot = path.relative(path.dirname(into), '.');
  const loads = [...files, DB].map((file) => `require('${toRoot}/${file}');`);
  mkdirSync(path.join(root, path.dirname(into)), { recursive: true });
  writeFileSync(
    path.join(root, into),
    [HEAD, ...loads, RUN(`${toRoot}/${DB}`), ...plants, ''].join('\n'),
  );
  return into;
}

const DB = 'packages/db/src/index.ts';
const HEAD = '// Stryker disable all';

const plant = (name: string, mutation: object) =>
  `plant('${name}', ${JSON.stringify(mutation)}, () => false);`;

const RUN = (db: string) => `
const { declaredStatements } = require('${db}');
const statements = new Map(declaredStatements().map((one) => [one.name, { one, text: one.text }]));

function plant(name, { at, was, becomes }, isActive) {
  const { one, text } = statements.get(name);
  const { get } = Object.getOwnPropertyDescriptor(one, 'text');
  const before = get ?? (() => text);
  const changed = at.reduceRight(
    (sql, from) => sql.slice(0, from) + becomes + sql.slice(from + was.length), text);
  Object.defineProperty(one, 'text', {
    configurable: true, enumerable: true, get: () => (isActive() ? changed : before()),
  });
}
// Stryker restore BooleanLiteral`;
