import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function filesUnder(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesUnder(path.join(place, name)));
}

/** Names and lengths are hashed too: moving text from one file to the next must show. */
export function hashOf(files, extra = []) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${path.basename(file)}\0${content.length}\0`).update(content);
  }
  return hash.update(extra.join('\0')).digest('hex');
}

/** Inside node_modules: who deletes that folder means "do it all again". */
const stampFile = (root, name) => path.join(root, 'node_modules', '.switchyard', name);

export function isStamped(root, name, hash) {
  const file = stampFile(root, name);
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

export function stamp(root, name, hash) {
  const file = stampFile(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, hash);
}
