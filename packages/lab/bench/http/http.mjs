import { withCleanup } from '../shared/cleanup.mjs';
import { compareRows } from '../shared/compare.mjs';
import { openMachine } from '../shared/machine.mjs';
import { forgetKeys } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { openReport } from '../shared/table.mjs';
import { startBare, startProduct } from '../shared/targets.mjs';
import { buildFixture } from './fixture.mjs';
import { raceRow } from './race.mjs';
import { requestRows } from './rows.mjs';
import { countStatements } from './statements.mjs';

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const prefix = `bench${process.pid}`;
    onEnd(() => forgetKeys(prefix));
    const database = await scratchDatabase(serverUrl, 'http');
    onEnd(() => database.drop());
    const pool = database.open();
    onEnd(() => pool.end());
    const targets = [await startProduct('own', database.url, prefix)];
    onEnd(() => targets[0].stop());
    targets.push(await startBare(database.url));
    onEnd(() => targets[1].stop());
    if (options.before) {
      const checkout = options.before;
      targets.push(await startProduct('before', database.url, prefix, { checkout }));
      onEnd(() => targets[2].stop());
    }
    const fixture = await buildFixture(`${targets[0].url}/api`, pool);
    const machine = await openMachine(pool);
    const report = await openReport({ name: 'http', options, pool });
    const rows = [...requestRows(fixture), raceRow(fixture)];
    const beforeRow = () => pool.query('VACUUM ANALYZE');
    await compareRows({ what: 'request', rows, targets, machine, report, options, beforeRow });
    await countStatements({ database, prefix, fixture, report, options });
    return true;
  });
}
