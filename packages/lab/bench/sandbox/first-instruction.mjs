import { makeAgents, playAlone } from '../runs/play.mjs';
import { percentile } from '../shared/measure.mjs';
import { forgetKeys } from '../shared/processes.mjs';
import { inRounds, median } from '../shared/rounds.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';
import { fixed, roundsOf } from '../shared/table.mjs';
import { startProduct } from '../shared/targets.mjs';

const RUNS = 30;
const CLOCK = { command: 'date', args: ['+%s%N'] };

export async function firstInstruction(serverUrl, drivers, { machine, report, options }, onEnd) {
  const checkouts = options.before ? [undefined, options.before] : [undefined];
  const columns = ['p99', ...(options.before ? ['before', 'p99', 'more than before'] : [])];
  report.head(['invoke → first instruction, ms', 'median', ...columns, 'rounds']);
  for (const SANDBOX of drivers) {
    const targets = [];
    for (const checkout of checkouts) {
      const name = `${SANDBOX}_${checkout ? 'before' : 'own'}`;
      targets.push(await startTarget(serverUrl, name, { checkout, settings: { SANDBOX } }, onEnd));
    }
    const rounds = await inRounds(machine, targets, options.rounds, measure);
    const [own, before] = targets.map((target) => rounds.of(target));
    const compared = before ? [before.ms, before.p99, own.ms - before.ms] : [];
    const numbers = [own.ms, own.p99, ...compared].map((number) => fixed(number, 1));
    report.row([SANDBOX === 'off' ? 'bare' : SANDBOX, ...numbers, roundsOf(rounds)]);
    for (const target of targets) await target.stop();
  }
}

async function startTarget(serverUrl, name, how, onEnd) {
  const prefix = `bench${process.pid}${name}`;
  onEnd(() => forgetKeys(prefix));
  const database = await scratchDatabase(serverUrl, `sandbox_${name}`);
  onEnd(() => database.drop());
  const pool = database.open();
  onEnd(() => pool.end());
  const product = await startProduct(name, database.url, prefix, how);
  onEnd(() => product.stop());
  await product.addWorker();
  const target = { ...product, api: `${product.url}/api`, pool };
  target.agents = await makeAgents(target, 1, CLOCK);
  return target;
}

async function measure(target) {
  const runs = await playAlone(target, target.agents[0], RUNS);
  const times = await Promise.all(runs.map((run) => untilAtWork(target.pool, run)));
  return { ms: median(times), p99: percentile(times, 0.99) };
}

async function untilAtWork(pool, { id, invoked }) {
  const { rows } = await pool.query(
    `SELECT convert_from(content, 'UTF8') AS text FROM run_log_chunk
    WHERE run_id = $1 ORDER BY start_offset LIMIT 1`,
    [id],
  );
  return Number(rows[0].text.trim()) / 1e6 - invoked;
}
