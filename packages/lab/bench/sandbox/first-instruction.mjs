import { makeAgents, playAlone } from '../runs/play.mjs';
import { forgetKeys } from '../shared/processes.mjs';
import { inRounds, median } from '../shared/rounds.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { fixed, roundsOf } from '../shared/table.mjs';
import { startProduct } from '../shared/targets.mjs';

const RUNS = 30;
/** Prints the time at which it runs. */
const CLOCK = { command: 'date', args: ['+%s%N'] };

/** Measures from the request that invokes an agent until its program runs, with and without a sandbox. */
export async function firstInstruction(serverUrl, { machine, report, options }, onEnd) {
  const targets = [];
  for (const [name, SANDBOX] of [
    ['bare', 'off'],
    ['sandboxed', 'auto'],
  ]) {
    const prefix = `bench${process.pid}${name}`;
    onEnd(() => forgetKeys(prefix));
    const database = await scratchDatabase(serverUrl, `sandbox_${name}`);
    onEnd(() => database.drop());
    const pool = database.open();
    onEnd(() => pool.end());
    const product = await startProduct(name, database.url, prefix, { settings: { SANDBOX } });
    onEnd(() => product.stop());
    await product.addWorker();
    const target = { ...product, api: `${product.url}/api`, pool };
    target.agents = await makeAgents(target, 1, CLOCK);
    targets.push(target);
  }
  const rounds = await inRounds(machine, targets, options.rounds, async (target) => {
    const runs = await playAlone(target, target.agents[0], RUNS);
    return { ms: median(await Promise.all(runs.map((run) => untilAtWork(target.pool, run)))) };
  });
  const [bare, sandboxed] = targets.map((target) => rounds.of(target).ms);
  report.head(['invoke → first instruction of the agent', 'ms', 'more than bare', 'rounds']);
  report.row(['bare', fixed(bare, 1), '–', roundsOf(rounds)]);
  report.row(['sandboxed', fixed(sandboxed, 1), fixed(sandboxed - bare, 1), roundsOf(rounds)]);
}

async function untilAtWork(pool, { id, invoked }) {
  const { rows } = await pool.query(
    `SELECT convert_from(content, 'UTF8') AS text FROM run_log_chunk
    WHERE run_id = $1 ORDER BY start_offset LIMIT 1`,
    [id],
  );
  return Number(rows[0].text.trim()) / 1e6 - invoked;
}
