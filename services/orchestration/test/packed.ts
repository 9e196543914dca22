import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const ROOT = join(__dirname, '../../..');

export interface Packed {
  dependency: string;
  files: string[];
}

export async function packByNpm(from: string, to: string): Promise<Packed> {
  const args = ['pack', from, '--json', '--ignore-scripts', '--pack-destination', to];
  const [{ filename, files }] = JSON.parse((await run('npm', args)).stdout);
  return packedAt(join(to, filename), files);
}

/**
 * Packs a package of this workspace with pnpm, which replaces `workspace:` ranges with versions.
 */
export async function packByPnpm(from: string, to: string): Promise<Packed> {
  const manager = join(ROOT, 'packages/bootstrap/pnpm.mjs');
  const args = [manager, '--dir', from, 'pack', '--json', '--pack-destination', to];
  const { filename, files } = JSON.parse((await run(process.execPath, args)).stdout);
  return packedAt(filename, files);
}

const packedAt = (file: string, files: { path: string }[]): Packed => ({
  dependency: `file:${file}`,
  files: files.map(({ path }) => path),
});

/**
 * Archives each package that npm would download for `of`. Copies it first, because npm skips hard
 * links in archives.
 */
export async function packDependencies(of: string, to: string): Promise<Record<string, string>> {
  const packed: Record<string, string> = {};
  for (const [name, folder] of foreignPackages(of)) {
    const copy = join(to, name.replaceAll('/', '-'));
    cpSync(folder, copy, { recursive: true, dereference: true });
    await run('tar', ['-czf', `${copy}.tgz`, '-C', to, basename(copy)]);
    packed[name] = `file:${copy}.tgz`;
  }
  return packed;
}

function foreignPackages(folder: string, found = new Map<string, string>()): Map<string, string> {
  const file = join(folder, 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const places = createRequire(file).resolve.paths(name) ?? [];
    const place = places.map((each) => join(each, name)).find(existsSync) as string;
    if (found.has(name)) continue;
    if (!name.startsWith('@switchyard/')) found.set(name, realpathSync(place));
    foreignPackages(realpathSync(place), found);
  }
  return found;
}
