import { withCleanup } from '../shared/cleanup.mjs';
import { openMachine } from '../shared/machine.mjs';
import { forgetKeys } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { openReport } from '../shared/table.mjs';
import { startProduct } from '../shared/targets.mjs';
import { measureBoard } from './board.mjs';
import { launch } from './browser.mjs';
import { fillConsole } from './fill.mjs';
import { measureGrowth } from './growth.mjs';
import { measureTwoBrowsers } from './two-browsers.mjs';
import { measureViews } from './views.mjs';

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const prefix = `bench${process.pid}console`;
    onEnd(() => forgetKeys(prefix));
    const database = await scratchDatabase(serverUrl, 'console', {
      fill: fillConsole(options.scale),
    });
    onEnd(() => database.drop());
    const pool = database.open();
    onEnd(() => pool.end());
    const product = await startProduct('own', database.url, prefix);
    onEnd(() => product.stop());
    const browsers = [await launch(), await launch()];
    for (const browser of browsers) onEnd(() => browser.close());
    const machine = await openMachine(pool);
    const report = await openReport({ name: 'console', options, pool });
    const parts = { browsers, browser: browsers[0], product, pool, machine, report, options };
    let passed = true;
    for (const measure of [measureViews, measureTwoBrowsers, measureBoard, measureGrowth]) {
      passed = (await measure({ ...parts, known: database.known })) !== false && passed;
    }
    return passed;
  });
}
