import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const FOLDER = at('../src/generated');
const FILE = `${FOLDER}/newest-migration.ts`;

const lines = ['orchestration', 'metrics'].map((product) => `  ${product}: '${newest(product)}',`);
const text = [
  '// Made by the build from the folders of prisma/*/migrations.',
  'export const NEWEST_MIGRATION = {',
  ...lines,
  '} as const;',
  '',
].join('\n');
if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(FILE, text);
}

function newest(product) {
  const entries = readdirSync(at(`../../../prisma/${product}/migrations`), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort().at(-1);
}
