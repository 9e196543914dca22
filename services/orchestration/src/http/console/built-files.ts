import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof ENCODINGS;

export interface Asset {
  path: string;
  encodings: Encoding[];
}

export interface Page {
  type: string;
  content: Buffer;
  tag: string;
}

export interface BuiltFiles {
  assets: ReadonlyMap<string, Asset>;
  pages: ReadonlyMap<string, Page>;
}

export function readBuiltFiles(folder = builtFolder()): BuiltFiles | null {
  if (folder === null || !existsSync(join(folder, 'index.html'))) return null;
  return { assets: readAssets(join(folder, 'assets')), pages: readPages(folder) };
}

function builtFolder(): string | null {
  try {
    return join(dirname(require.resolve('@switchyard/console/package.json')), 'dist');
  } catch {
    return null;
  }
}

const isVariant = (name: string) => Object.values<string>(ENCODINGS).includes(extname(name));

function readAssets(folder: string): Map<string, Asset> {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const encodings = (name: string) =>
    (Object.keys(ENCODINGS) as Encoding[]).filter((each) => names.has(name + ENCODINGS[each]));
  const files = [...names].filter((name) => !isVariant(name));
  return new Map(
    files.map((name) => [
      `/assets/${name}`,
      { path: join(folder, name), encodings: encodings(name) },
    ]),
  );
}

function readPages(folder: string): Map<string, Page> {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !isVariant(entry.name));
  return new Map(files.map(({ name }) => [name, readPage(folder, name)]));
}

function readPage(folder: string, name: string): Page {
  const content = readFileSync(join(folder, name));
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { type: extname(name), content, tag: `"${digest}"` };
}

export const variantOf = ({ path }: Asset, encoding: Encoding) => path + ENCODINGS[encoding];
