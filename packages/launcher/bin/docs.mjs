import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { begin } from '../lib/begin.mjs';

/** Writes what docs/operating.md says of each variable from the schemas that read them. */
await begin(async ({ live, root }) => {
  const { installAndBuild } = await import('../lib/build.mjs');
  await live(async (life) => {
    await installAndBuild(root, { signal: life.stop });
    const require = createRequire(path.join(root, 'package.json'));
    const built = (file) => require(path.join(root, file));
    const { environmentTable, withTable } = built('packages/server/dist/index.js');
    const file = path.join(root, 'docs/operating.md');
    let text = readFileSync(file, 'utf8');
    for (const service of ['orchestration', 'metrics']) {
      const { ENVIRONMENT } = built(`services/${service}/dist/config.js`);
      text = withTable(text, `settings of ${service}`, environmentTable(ENVIRONMENT));
    }
    writeFileSync(file, text);
  });
});
