import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Driver, openSandbox, SandboxUnavailable } from '../src';
import { CONFINING, newFolder, policyOf, removeFolders, run, shell } from './spawned';

afterAll(removeFolders);

const MEMORY = 64 * 2 ** 20;
const openIn = (wanted: Driver, folder: string) =>
  openSandbox({
    wanted,
    mayBeOff: true,
    path: process.env.PATH,
    controlGroup: { folder, memoryBytes: MEMORY },
  });

describe.each<Driver>(CONFINING)('a control group under %s', (driver) => {
  if (process.platform !== 'linux') return;

  it('has the limits of the run, and contains the run’s process before the command starts', async () => {
    const delegated = newFolder();
    const leftover = `switchyard-run-${spawnSync('true').pid}-a`;
    const neighbour = `switchyard-run-${process.ppid}-b`;
    for (const name of [leftover, neighbour]) mkdirSync(join(delegated, name));
    const sandbox = await openIn(driver, delegated);
    const read = (...names: string[]) => readFileSync(join(delegated, ...names), 'utf8');
    expect(read('cgroup.subtree_control')).toBe('+cpu +memory +pids');
    expect(readdirSync(delegated)).not.toContain(leftover);
    expect(readdirSync(delegated)).toContain(neighbour);
    for (const name of readdirSync(delegated)) rmSync(join(delegated, name), { recursive: true });

    const cwd = newFolder();
    expect((await run(sandbox, shell('exit 3', cwd), policyOf(cwd))).exit.code).toBe(3);
    const [group = ''] = readdirSync(delegated);
    expect(read(group, 'memory.max')).toBe(String(MEMORY));
    expect(read(group, 'pids.max')).toBe('512');
    expect(read(group, 'cgroup.procs')).toBe('0');
  });

  it('must be delegated, or openSandbox throws SandboxUnavailable', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const opening = openIn(driver, file);
    await expect(opening).rejects.toThrow(SandboxUnavailable);
    await expect(opening).rejects.toThrow('is not a delegated control group');
  });
});
