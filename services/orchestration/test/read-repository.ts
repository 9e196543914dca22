import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './source-rules';

export const ROOT = join(__dirname, '../../..');

const BINARY = /\.(?:png|jpe?g|gif|webp|ico|pdf|wasm|woff2?)$/;

/** Every text file of the repository that `.gitignore` does not leave out. */
export function readRepository(): SourceFile[] {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const names = new Set(['.git', ...ignored.map((line) => line.replace(/\/$/, ''))]);
  const endings = ignored.filter((line) => line.startsWith('*')).map((line) => line.slice(1));
  const isIgnored = (name: string) =>
    names.has(name) || endings.some((ending) => name.endsWith(ending));
  const walk = (folder: string): SourceFile[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      if (isIgnored(entry.name)) return [];
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) return walk(path);
      if (!entry.isFile() || BINARY.test(path)) return [];
      return [{ path, text: readFileSync(join(ROOT, path), 'utf8') }];
    });
  return walk('');
}
