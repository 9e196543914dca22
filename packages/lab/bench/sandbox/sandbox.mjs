import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCleanup } from '../shared/cleanup.mjs';
import { openMachine } from '../shared/machine.mjs';
import { inRounds, median } from '../shared/rounds.mjs';
import { openScratchPool } from '../shared/scratch.mjs';
import { fixed, openReport, roundsOf } from '../shared/table.mjs';
import { firstInstruction } from './first-instruction.mjs';

const require = createRequire(import.meta.url);
const { openSandbox } = require('@switchyard/sandbox');

const STARTS = 100;
const DRIVERS = ['off', 'bwrap', 'landlock', 'seatbelt'];

export function bench(serverUrl, options) {
  return withCleanup(async (onEnd) => {
    const pool = openScratchPool(serverUrl);
    onEnd(() => pool.end());
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-sandbox-')));
    onEnd(async () => rmSync(folder, { recursive: true }));
    const machine = await openMachine(pool);
    const report = await openReport({ name: 'sandbox', options, pool });
    const cacheFolder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-sandbox-cache-')));
    onEnd(async () => rmSync(cacheFolder, { recursive: true }));
    const targets = await openAll(folder, cacheFolder);
    report.head([
      'start of /bin/true',
      'first output, ms',
      'ended, ms',
      'more than bare',
      'rounds',
    ]);
    const rounds = await inRounds(machine, targets, options.rounds, measure);
    const [bare] = targets.map((target) => rounds.of(target));
    for (const target of targets) {
      const { output, ended } = rounds.of(target);
      report.row([
        target.name,
        fixed(output, 2),
        fixed(ended, 2),
        target.name === 'bare' ? '–' : fixed(ended - bare.ended, 2),
        roundsOf(rounds),
      ]);
    }
    const drivers = targets.map(({ sandbox }) => sandbox.driver);
    await firstInstruction(serverUrl, drivers, { machine, report, options }, onEnd);
    return true;
  });
}

async function openAll(folder, cacheFolder) {
  const targets = [];
  const { PATH: path } = process.env;
  for (const wanted of DRIVERS) {
    const settings = { wanted, mayBeOff: true, path, cacheFolder };
    const sandbox = await openSandbox(settings).catch(({ message }) => console.error(message));
    if (!sandbox) continue;
    targets.push({ name: wanted === 'off' ? 'bare' : wanted, sandbox, folder, pids: [] });
  }
  return targets;
}

async function measure(target) {
  const ended = [];
  const output = [];
  for (let turn = 0; turn < STARTS; turn++) {
    ended.push((await start(target, '/bin/true')).ended);
    output.push((await start(target, '/bin/echo', ['x'])).output);
  }
  return { ended: median(ended), output: median(output) };
}

async function start({ sandbox, folder }, command, args = []) {
  const limits = {
    processes: 512,
    openFiles: 0,
    fileBytes: 0,
    watchers: 0,
    temporaryBytes: 0,
    workspaceBytes: 0,
  };
  const policy = { readOnly: [], readWrite: [folder], home: folder, network: 'none', limits };
  const began = performance.now();
  const child = await sandbox.spawn({ command, args, cwd: folder, environment: {} }, policy);
  const said = once(child.stdout, 'data').then(
    () => performance.now() - began,
    () => null,
  );
  const closed = once(child.stdout, 'close');
  child.stderr.resume();
  await child.exited;
  const ended = performance.now() - began;
  const output = args.length > 0 ? await said : null;
  await child.end(0);
  child.stdout.resume();
  await closed;
  return { ended, output };
}
