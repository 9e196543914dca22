import { dirname } from 'node:path/posix';
import { findCycle, isCode, isTest, type SourceFile } from './source-rules';

const FOLDER = 'services/orchestration/src/';
const own = (files: SourceFile[], folder = FOLDER) =>
  files
    .filter(({ path }) => path.startsWith(folder) && isCode(path) && !isTest(path))
    .map(({ path, text }) => ({ path: path.slice(folder.length), text }));

/**
 * A handler that calls one verb, with arguments in this order: path parameters, the body or the
 * query, the result of `prepare`.
 */
const HANDLER =
  /^\(call(?:, (\w+))?\) => \w+\( ?call(?:, call\.params\.\w+)*(?:, call\.(?:body|query))?(?:, \1)?,? ?\),/;

export function irregularRoutes(files: SourceFile[]): string[] {
  return own(files)
    .filter(({ path }) => path.endsWith('.routes.ts'))
    .flatMap(({ path, text }) => {
      const handlers = text
        .replace(/\s+/g, ' ')
        .split(/\bhandle: /)
        .slice(1);
      return handlers
        .filter((handler) => !HANDLER.test(handler))
        .map((handler) => `${path}: ${handler.slice(0, 70)}`);
    });
}

export interface Write {
  path: string;
  table: string;
}

const SQL_WRITE = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?([a-z_]+)\b/g;
const PRISMA_WRITE =
  /\.prisma\s*\.(\w+)\s*\.(?:create|update|upsert|delete)(?:Many)?(?:AndReturn)?\b/g;

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function tableWrites(files: SourceFile[], tables: readonly string[]): Write[] {
  return own(files).flatMap(({ path, text }) => {
    const sql = [...text.matchAll(SQL_WRITE)].map(([, table]) => table as string);
    const prisma = [...text.matchAll(PRISMA_WRITE)].map(([, model]) => snakeCase(model as string));
    const written = new Set([...sql, ...prisma]);
    return [...written].filter((table) => tables.includes(table)).map((table) => ({ path, table }));
  });
}

export function tablesOfTwoWays(files: SourceFile[], tables: readonly string[]): string[] {
  const texts = own(files).map(({ text }) => text);
  const written = (pattern: RegExp) =>
    new Set(
      texts.flatMap((text) =>
        [...text.matchAll(pattern)].map((match) => snakeCase(match[1] ?? '')),
      ),
    );
  const [bySql, byPrisma] = [written(SQL_WRITE), written(PRISMA_WRITE)];
  return tables.filter((table) => bySql.has(table) && byPrisma.has(table)).sort();
}

export function filesOfTwoWays(files: SourceFile[]): string[] {
  return own(files)
    .filter(({ text }) => /\.prisma\b/.test(text) && /\bstatement\(/.test(text))
    .map(({ path }) => path)
    .sort();
}

export function tablesOf(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^prisma\/orchestration\/schema\/.*\.prisma$/.test(path))
    .flatMap(({ text }) =>
      [...text.matchAll(/@@map\("([a-z_]+)"\)/g)].map((match) => match[1] as string),
    )
    .sort();
}

type Owners = Readonly<Record<string, readonly string[]>>;

export function foreignWrites(writes: Write[], owners: Owners): string[] {
  return writes
    .filter(({ path, table }) => !owners[table]?.some((owner) => path.startsWith(owner)))
    .map(({ path, table }) => `${path} writes ${table}`);
}

export function idleOwners(writes: Write[], owners: Owners): string[] {
  return Object.entries(owners).flatMap(([table, all]) =>
    all
      .filter((owner) => !writes.some((one) => one.table === table && one.path.startsWith(owner)))
      .map((owner) => `${table}: ${owner}`),
  );
}

const featureOf = (path: string | undefined) => /^features\/([^/]+)\//.exec(path ?? '')?.[1];

export function circleByWrites(
  imports: { from: string; to: string }[],
  writes: Write[],
  owners: Owners,
): string[] | null {
  const byWrites = writes.flatMap(({ path, table }) => {
    const from = featureOf(path);
    const to = featureOf(owners[table]?.[0]);
    return from && to && from !== to ? [{ from, to }] : [];
  });
  return findCycle([...imports, ...byWrites]);
}

const MOST_FILES = 15;

export function fullFolders(files: SourceFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    if (!/^(?:services|packages)\/[^/]+\/src\//.test(path) || isTest(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MOST_FILES && !folder.includes('/generated'))
    .map(([folder]) => folder)
    .sort();
}

export function ownClocks(files: SourceFile[], folder = FOLDER): string[] {
  return own(files, folder)
    .filter(({ text }) => /\bDate\.now\(|\bnew Date\(\)/.test(text))
    .map(({ path }) => path)
    .sort();
}

const LIST = /\bIN \((?:'[a-z_]+'(?:, )?){2,}\)/g;

export function repeatedLists(files: SourceFile[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of own(files)) {
    for (const [list] of text.matchAll(LIST)) {
      const key = [...list.matchAll(/'[a-z_]+'/g)].map(String).sort().join(', ');
      places.set(key, (places.get(key) ?? new Set()).add(path));
    }
  }
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([list, paths]) => `${list}: ${[...paths].join(', ')}`);
}
