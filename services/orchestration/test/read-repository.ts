import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './source-rules';

export const ROOT = join(__dirname, '../../..');

const isBinary = (bytes: Buffer) => bytes.subarray(0, 8_000).includes(0);

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
      if (!entry.isFile()) return [];
      const bytes = readFileSync(join(ROOT, path));
      return isBinary(bytes) ? [] : [{ path, text: bytes.toString('utf8') }];
    });
  return walk('');
}
