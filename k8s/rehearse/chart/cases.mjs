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
  gitops: { values: ["production", "gitops"], overlay: 'production' },
  'run-pods': { values: ['production', 'run-pods'] },
  observed: { values: ['production', 'observed', 'hooks'] },
};

/** Of every file of the chart: what was rendered from another one is out of date. */
export function digestOfChart() {
  const hash = createHash('sha256');
  const files = readdirSync(CHART, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(CHART, path.join(parentPath, name)));
  for (const file of files.sort()) {
    hash.update(`${file}\n`).update(readFileSync(path.join(CHART, file))).update('\n');
  }
  return hash.digest('hex');
}
