// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs `work` if a file has changed since the last time or the output is missing; returns true if
 * it ran. Stores the files' hash in node_modules, so that deleting that folder repeats everything.
 * @param {string} root
 * @param {string} name
 * @param {{ files: string[]; output: string }} what
 * @param {() => Promise<void>} work
 */
export async function onceFor(root, name, { files, output }, work) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files.filter((each) => existsSync(each))) {
    const content = readFileSync(file);
    hash.update(`\0${path.basename(file)}\0${content.length}\0`).update(content);
  }
  const digest = hash.digest('hex');
  const kept = path.join(root, 'node_modules', '.switchyard', name);
  if (existsSync(kept) && readFileSync(kept, 'utf8') === digest && existsSync(output)) return false;
  await work();
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(kept, digest);
  return true;
}
