import { withCleanup } from '../shared/cleanup.mjs';
import { compareRows } from '../shared/compare.mjs';
import { load } from '../shared/load.mjs';
import { openMachine } from '../shared/machine.mjs';
import { forgetKeys } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { openReport } from '../shared/table.mjs';
import { startBare, startProduct } from '../shared/targets.mjs';
import { measureScale } from './scale.mjs';
import { seed, sized } from './seed.mjs';

const SMALL = 10_000;

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const small = await openSize(serverUrl, 'small', SMALL, options, onEnd);
    const bare = await startBare(small.database.url);
    onEnd(() => bare.stop());
    const machine = await openMachine(small.pool);
    const report = await openReport({ name: 'lists', options, pool: small.pool });
    const targets = [small.own, bare, small.before].filter(Boolean);
    const rows = listRows(small.database.known);
    await compareRows({ what: `list of ${SMALL} issues`, rows, targets, machine, report, options });
    const large = await openSize(serverUrl, 'large', options.scale, options, onEnd);
    await measureScale({ small, large, machine, report, options });
    return true;
  });
}

async function openSize(serverUrl, label, issues, options, onEnd) {
  const prefix = `bench${process.pid}${label}`;
  onEnd(() => forgetKeys(prefix));
  const began = performance.now();
  const database = await scratchDatabase(serverUrl, label, {
    fill: (pool) => seed(pool, sized(issues)),
  });
  onEnd(() => database.drop());
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.error(
    `seeded ${issues} issues, the same number of runs, ten times as many activities: ${seconds} s`,
  );
  const pool = database.open();
  onEnd(() => pool.end());
  const start = async (name, checkout) => {
    const product = await startProduct(name, database.url, prefix, { checkout });
    onEnd(() => product.stop());
    return product;
  };
  const own = await start('own');
  const before = options.before && (await start('before', options.before));
  return { issues, database, pool, own, before };
}

function listRows({ company }) {
  const row = (title, path, bare) => ({
    title,
    run: (target) =>
      load({
        url: target.url,
        path: target.name === 'bare' ? bare : `/api/companies/${company}${path}`,
      }),
  });
  return [
    row('issues, 50', '/issues?limit=50', `/issues/${company}`),
    row('issues, 50, bare with its facts', '/issues?limit=50', `/issuesWhole/${company}`),
    row(
      'issues, 50, two statuses',
      '/issues?limit=50&status=todo,in_progress',
      `/issuesOpen/${company}`,
    ),
    row('activity, 50', '/activity?limit=50', `/activity/${company}`),
    row('activity, 50, bare with its names', '/activity?limit=50', `/activityNamed/${company}`),
  ];
}
