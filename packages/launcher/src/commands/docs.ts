import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Lifecycle } from '../process/lifecycle.js';
import { buildProjects } from './build.js';

/** `npm run docs`: writes what docs/operating.md says of each variable from the schemas that read them. */
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
}
