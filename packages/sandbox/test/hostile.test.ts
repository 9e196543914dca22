import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { constants, getPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Driver, Sandbox } from '../src';
import { IOPRIO_SET, PRCTL, PROBES } from './probes';
import { CONFINING, newFolder, open, policyOf, removeFolders, run, shell } from './spawned';
import { startVictims, type Victims } from './victims';

let victims: Victims;
beforeAll(async () => {
  victims = await startVictims(PRCTL);
});
afterAll(() => {
  victims.close();
  removeFolders();
});

const isRoot = process.getuid?.() === 0;

describe.each<Driver>(['off', ...CONFINING])('a program under %s', (driver) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await open(driver);
  });

  it.each(
    PROBES.map((probe) => [driver === 'off' ? 'may' : 'may not', probe.name, probe] as const),
  )(
    '%s perform the hostile action: %s',
    async (_may, _name, { script, limits, isOpenToRoot, isVisited }) => {
      const folder = newFolder();
      const policy = policyOf(folder, { readOnly: [dirname(victims.shown)] });
      const visits = isVisited && startVisits(folder);
      const { exit, stdout } = await run(
        sandbox,
        {
          command: 'perl',
          args: ['-e', script(victims, process.pid)],
          cwd: folder,
          environment: { PATH: '/usr/bin:/bin' },
        },
        { ...policy, limits: { ...policy.limits, ...limits } },
      );
      if (visits) clearInterval(visits);
      expect(exit.failure).toBeNull();
      expect(stdout).toBe(driver === 'off' || (isOpenToRoot && isRoot) ? 'did' : '');
    },
  );
});

/**
 * This action is not a probe: without a sandbox, it would lower the priority of every process of
 * the account that runs the tests.
 */
it('a program under landlock cannot lower the priority of its whole account', async () => {
  const folder = newFolder();
  const sandbox = await open('landlock');
  const neighbour = await sandbox.spawn(shell('echo $$; sleep 100', folder), policyOf(folder));
  const [line] = await once(neighbour.stdout, 'data');
  const before = getPriority(Number(line));
  const script = `setpriority(2, 0, ${before + 1}); syscall(${IOPRIO_SET}, 3, 0, 0); print 0 + $!`;
  const environment = { PATH: '/usr/bin:/bin' };
  const command = { command: 'perl', args: ['-e', script], cwd: folder, environment };
  const { stdout } = await run(sandbox, command, policyOf(folder));
  expect(stdout).toBe(`${constants.errno.EPERM}`);
  expect(getPriority(Number(line))).toBe(before);
  await neighbour.end(0);
});

function startVisits(folder: string): NodeJS.Timeout {
  return setInterval(() => {
    let port: number;
    try {
      port = Number(/^(\d+)\n$/.exec(readFileSync(join(folder, 'port'), 'utf8'))?.[1]);
    } catch {
      return;
    }
    if (!port) return;
    const visit = connect(port, '127.0.0.1', () => visit.destroy()).on('error', () => {});
    setTimeout(() => visit.destroy(), 1_000);
  }, 100);
}
