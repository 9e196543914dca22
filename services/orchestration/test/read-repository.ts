import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './source-rules';

export const ROOT = join(__dirname, '../../..');

const BINARY = /\.(?:png|jpe?g|gif|webp|ico|pdf|wasm|woff2?)$|\/prebuilt\/.*-entry$/;

/** Every text file of the repository that `.gitignore` does not leave out. */
export function readRepository(): SourceFile[] {
  const lines = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const ignored = ['.git', ...lines.map((line) => line.replace(/^\/|\/$/g, ''))];
  const isIgnored = (name: string) =>
    ignored.some((pattern) => {
      if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
      if (pattern.endsWith('*')) return name.startsWith(pattern.slice(0, -1));
      return name === pattern;
    });
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
