// Writes the types of both services anew; the code is built first, because the documents come from it.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

function run(script, input) {
  const { status, stdout } = spawnSync(process.execPath, [at(script)], {
    input,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

for (const service of ['orchestration', 'metrics']) {
  const document = run(`../../../services/${service}/dist/bin/openapi.js`);
  const file = at(`../src/generated/${service}.ts`);
  writeFileSync(file, run('./generate.mjs', document));
  console.log(`wrote ${file}`);
}
