import { withCleanup } from '../shared/cleanup.mjs';
import { compareRows } from '../shared/compare.mjs';
import { startDeployments } from '../shared/deployments.mjs';
import { openMachine } from '../shared/machine.mjs';
import { openReport } from '../shared/table.mjs';
import { startBare } from '../shared/targets.mjs';
import { buildFixture } from './fixture.mjs';
import { RACE } from './race.mjs';
import { requestRows } from './rows.mjs';
import { countStatements } from './statements.mjs';

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const deployments = await startDeployments(serverUrl, 'http', options, {}, onEnd);
    for (const each of deployments) each.fixture = await buildFixture(each.api, each.pool);
    const [own] = deployments;
    const bare = await startBare(own.database.url);
    onEnd(() => bare.stop());
    const targets = [...deployments, { ...bare, fixture: own.fixture }];
    const machine = await openMachine(own.pool);
    const report = await openReport({ name: 'http', options, pool: own.pool });
    const rows = [...requestRows(({ fixture }) => fixture), RACE];
    const beforeRow = async () => {
      for (const { pool } of deployments) await pool.query('VACUUM ANALYZE');
    };
    await compareRows({ what: 'request', rows, targets, machine, report, options, beforeRow });
    await countStatements({ deployments, report, options });
    return true;
  });
}
