import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Lifecycle } from '../process/lifecycle.js';
import { runInTerminal } from '../process/run.js';
import { buildProjects } from './build.js';

export async function format(life: Lifecycle, root: string, args: string[]): Promise<number> {
  const biome = ['check', '--write', '.', ...args];
  const code = await runInTerminal(life, 'node_modules/.bin/biome', biome, { cwd: root });
  await writeDocs(life, root);
  return code;
}

async function writeDocs(life: Lifecycle, root: string): Promise<undefined> {
  await buildProjects(root, [], life.stop);
  const { commonEnvironment, environmentLists, withTable } = await import('@switchyard/server');
  const built = createRequire(path.join(root, 'package.json'));
  const file = path.join(root, 'docs/operating.md');
  const common = environmentLists({ groups: { '': commonEnvironment } });
  let text = withTable(readFileSync(file, 'utf8'), 'settings of every process', common);
  for (const [service, module] of Object.entries(SETTINGS)) {
    const { ENVIRONMENT } = built(`./services/${service}/dist/${module}`);
    text = withTable(text, `settings of ${service}`, environmentLists(ENVIRONMENT));
  }
  writeFileSync(file, text);
  const metrics = path.join(root, 'docs/metrics.md');
  const { kindMetricsList } = built('./services/metrics/dist/exposition/exposition.js');
  const page = readFileSync(metrics, 'utf8');
  writeFileSync(metrics, withTable(page, 'metrics of kinds', kindMetricsList()));
}

const SETTINGS = { orchestration: 'settings/environment.js', metrics: 'config.js' };
