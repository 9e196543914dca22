import { dirname } from 'node:path';
import type { Driver, Sandbox } from '../src';
import { PRCTL, PROBES } from './probes';
import { CONFINING, newFolder, open, policyOf, removeFolders, run } from './spawned';
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

/** Each does what it says without a sandbox, so that a probe that is broken is noticed. */
describe.each<Driver>(['off', ...CONFINING])('a program under %s', (driver) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await open(driver);
  });

  it.each(
    PROBES.map((probe) => [driver === 'off' ? 'may' : 'may not', probe.name, probe] as const),
  )('%s %s', async (_may, _name, { script, limits, isOpenToRoot }) => {
    const folder = newFolder();
    const policy = policyOf(folder, { readOnly: [dirname(victims.shown)] });
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
    expect(exit.failure).toBeNull();
    expect(stdout).toBe(driver === 'off' || (isOpenToRoot && isRoot) ? 'did' : '');
  });
});
