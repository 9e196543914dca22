// @ts-check
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { UserError } from './user-error.mjs';

const execute = promisify(execFile);

/**
 * Returns the arguments with which `npx` runs the package manager. Compares the package with the
 * hash in package.json, because npx only compares it with the registry's hash.
 * @param {string} root @param {import('node:child_process').ExecFileOptions} [options]
 */
export async function packageManagerArguments(root, options = {}) {
  const manager = packageManager(root);
  if (!manager.digest) return ['-y', manager.name];
  const file = await fetchFile(root, manager, options);
  if (fits(file, manager)) return ['-y', `--package=${file}`, '--', 'pnpm'];
  rmSync(file, { force: true });
  throw new UserError(
    `${manager.name} does not match the hash in package.json.`,
    'Find out why your package registry delivers another package before you continue.',
  );
}

/** @param {string} root */
export function packageManager(root) {
  const { packageManager: field } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const [, name, algorithm, digest] =
    /^(pnpm@[^+]+)(?:\+(sha\d+)\.([0-9a-f]+))?$/.exec(field ?? '') ?? [];
  if (name) return { name, algorithm, digest };
  throw new UserError(
    'package.json has no packageManager field.',
    'Restore package.json from the repository.',
  );
}

/** @param {string} file @param {{ algorithm?: string; digest?: string }} expected */
const fits = (file, { algorithm, digest }) =>
  createHash(algorithm ?? 'sha512')
    .update(readFileSync(file))
    .digest('hex') === digest;

/**
 * Downloads into a temporary folder, then renames the file, because two processes may download at the same time.
 * @param {string} root @param {{ name: string }} manager @param {import('node:child_process').ExecFileOptions} options
 */
async function fetchFile(root, { name }, options) {
  const folder = path.join(root, '.cache');
  const file = path.join(folder, `${name.replace('@', '-')}.tgz`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(path.join(folder, 'package-manager-'));
  try {
    await execute(
      'npm',
      ['pack', name, '--prefer-offline', '--pack-destination', scratch],
      options,
    );
    renameSync(path.join(scratch, path.basename(file)), file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return file;
}
