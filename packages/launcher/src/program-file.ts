import { readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGES = path.resolve(import.meta.dirname, '../..');

export const isReleased = path.basename(PACKAGES) === '@switchyard';

export function programFile(root: string, file: string): string {
  if (!isReleased) return path.join(root, file);
  const [, name = '', ...rest] = file.split('/');
  return path.join(PACKAGES, name, ...rest);
}

export const PACKAGE_FILE = path.join(PACKAGES, 'launcher/package.json');
export const releaseVersion: string = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')).version;
