import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Lifecycle } from '../process/lifecycle.js';
import { buildProjects } from './build.js';

/**
 * `npm run docs`: writes what docs/operating.md says of each variable from the schemas that read them, what docs/metrics.md
 * says of each kind of snapshot, and the names of the migrations' Jobs.
 */
export async function writeDocs(life: Lifecycle, root: string): Promise<undefined> {
  await buildProjects(root, [], life.stop);
  const { environmentTable, withTable } = await import('@switchyard/server');
  const built = createRequire(path.join(root, 'package.json'));
  const file = path.join(root, 'docs/operating.md');
  let text = readFileSync(file, 'utf8');
  for (const service of ['orchestration', 'metrics']) {
    const { ENVIRONMENT } = built(`./services/${service}/dist/config.js`);
    text = withTable(text, `settings of ${service}`, environmentTable(ENVIRONMENT));
  }
  writeFileSync(file, text);
  const metrics = path.join(root, 'docs/metrics.md');
  const { kindMetricsTable } = built('./services/metrics/dist/exposition/kind-metrics-table.js');
  const page = readFileSync(metrics, 'utf8');
  writeFileSync(metrics, withTable(page, 'metrics of kinds', kindMetricsTable()));
  nameMigrationJobs(root, built('./packages/db/dist/generated/newest-migration.js'));
}

/** A Job cannot be changed, so each one's name carries the number of the newest migration. */
function nameMigrationJobs(
  root: string,
  { NEWEST_MIGRATION }: { NEWEST_MIGRATION: Record<string, string> },
): void {
  const file = path.join(root, 'k8s/base/migrations.yaml');
  let text = readFileSync(file, 'utf8');
  for (const [product, migration] of Object.entries(NEWEST_MIGRATION)) {
    const name = new RegExp(`(?<=name: switchyard-migrate-${product}-)\\d{4}$`, 'm');
    text = text.replace(name, migration.slice(0, 4));
  }
  writeFileSync(file, text);
}
