// Generates the types of both services' APIs, unless they already match the built code. The build
// runs this script after it has built the services, because the script needs their OpenAPI
// documents.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVICES = ['orchestration', 'metrics'];
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const placeOf = (service) => at(`../src/generated/${service}.ts`);
const PYTHON = at('../python/switchyard/generated/__init__.py');
const STAMP = at('../src/generated/made-of');

const source = hashOfSource();
if (!isFresh()) {
  mkdirSync(at('../src/generated'), { recursive: true });
  for (const service of SERVICES) {
    const document = run(`../../../services/${service}/dist/bin/openapi.js`);
    writeFileSync(placeOf(service), run('./generate.mjs', document));
    if (service === 'orchestration') {
      mkdirSync(path.dirname(PYTHON), { recursive: true });
      writeFileSync(PYTHON, run('./generate-python.mjs', document));
    }
  }
  writeFileSync(STAMP, source);
}

function isFresh() {
  if (![STAMP, PYTHON, ...SERVICES.map(placeOf)].every((file) => existsSync(file))) return false;
  return readFileSync(STAMP, 'utf8') === source;
}

function hashOfSource() {
  const folders = ['packages', 'services'].flatMap((root) =>
    readdirSync(at(`../../../${root}`)).map((name) => `../../../${root}/${name}`),
  );
  const built = folders
    .filter((folder) => !folder.endsWith('/client'))
    .flatMap((folder) => [`${folder}/dist/.tsbuildinfo`, `${folder}/package.json`]);
  const hash = createHash('sha256');
  const own = ['generate.mjs', 'generate-python.mjs', 'generate-all.mjs'].map(
    (name) => `./${name}`,
  );
  for (const file of [...built, '../package.json', ...own]) {
    if (existsSync(at(file))) hash.update(file).update(readFileSync(at(file)));
  }
  return hash.digest('hex');
}

function run(script, input) {
  const { status, stdout } = spawnSync(process.execPath, [at(script)], {
    input,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}
