import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CLIENT = join(__dirname, '../../client');

/**
 * Runs in a separate process, because the generator is an ES module and needs its own TypeScript.
 */
function generate(document: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 16 * 1024 * 1024 };
    const script = join(CLIENT, 'bin/generate.mjs');
    const child = execFile(process.execPath, [script], options, (error, output) =>
      error ? reject(error) : resolve(output),
    );
    child.stdin?.end(JSON.stringify(document));
  });
}

export async function clientTypes(service: 'orchestration' | 'metrics', document: unknown) {
  const [built, fresh] = await Promise.all([
    readFile(join(CLIENT, `src/generated/${service}.ts`), 'utf8'),
    generate(document),
  ]);
  return { built, fresh };
}
