import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from './failure.js';

export interface CompanyFile {
  path: string;
  content: string;
}

const FOLDERS = ['agents', 'goals', 'issues', 'labels', 'projects', 'routines'];

const PATH =
  /^(?:company|(?:agents|goals|issues|labels|projects|routines)(?:\/[\p{L}\p{M}\p{N}_-]+)+)\.md$/u;

/**
 * Writes an export and removes the files of an earlier export that it no longer contains. The
 * folder may also contain other files, such as .git.
 * @param keeps folder whose files stay; null for none
 * @throws CommandError unless the folder is empty or contains an earlier export
 */
export async function writeFolder(
  folder: string,
  files: AsyncIterable<CompanyFile>,
  keeps: string | null,
): Promise<{ written: number; removed: number }> {
  mkdirSync(folder, { recursive: true });
  const present = new Set(listFiles(folder).filter((name) => PATH.test(name)));
  if (readdirSync(folder).length > 0 && !present.has('company.md')) {
    throw new CommandError(`${folder} must be empty or contain an earlier export (company.md).`);
  }
  let written = 0;
  for await (const file of files) {
    if (!PATH.test(file.path)) throw new CommandError(`The path "${file.path}" is not allowed.`);
    const target = path.join(folder, file.path);
    mkdirSync(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
    present.delete(file.path);
    written += 1;
  }
  const old = [...present].filter((name) => keeps === null || !name.startsWith(keeps));
  for (const name of old) rmSync(path.join(folder, name));
  return { written, removed: old.length };
}

export async function readFolder(folder: string): Promise<CompanyFile[]> {
  if (!existsSync(folder)) throw new CommandError(`The folder ${folder} does not exist.`);
  const files: CompanyFile[] = [];
  for (const name of listFiles(folder)) {
    files.push({ path: name, content: await readFile(path.join(folder, name), 'utf8') });
  }
  if (files.length === 0) throw new CommandError(`${folder} contains no file of an export.`);
  return files;
}

function listFiles(folder: string): string[] {
  const found: string[] = [];
  const waiting = [...FOLDERS, 'company.md'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const stat = lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) throw new CommandError(`${name} must not be a symbolic link.`);
    if (stat?.isFile() && name.endsWith('.md')) found.push(name);
    if (!stat?.isDirectory()) continue;
    for (const child of readdirSync(path.join(folder, name))) waiting.push(`${name}/${child}`);
  }
  return found.sort();
}
