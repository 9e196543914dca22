import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const CHART = path.join(import.meta.dirname, '../../chart');

/** Where the rendered cases are kept, for tests on machines without Helm. */
export const RENDERED = path.join(import.meta.dirname, '../../test/chart');

/** What is rendered: files of values/, and the overlay that has to be the same, if there is one. */
export const CASES = {
  'single-node': { values: ['single-node'], overlay: 'single-node' },
  production: { values: ['production'], overlay: 'production' },
  'run-pods': { values: ['production', 'run-pods'] },
  observed: { values: ['production', 'observed', 'hooks'] },
  'backup-bucket': { values: ['single-node', 'backup-bucket'] },
};

/** What stands for the release in what is rendered, so that a new one renders the same. */
export const RELEASE = 'of-the-release';

/** Of every file of the chart but its own version: what was rendered from another one is out of date. */
export function digestOfChart() {
  const hash = createHash('sha256');
  const files = readdirSync(CHART, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'Chart.yaml')
    .map(({ parentPath, name }) => path.relative(CHART, path.join(parentPath, name)));
  for (const file of files.sort()) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(path.join(CHART, file)))
      .update('\n');
  }
  return hash.digest('hex');
}

if (import.meta.filename === process.argv[1]) {
  process.stdout.write(JSON.stringify({ cases: CASES, digest: digestOfChart() }));
}
