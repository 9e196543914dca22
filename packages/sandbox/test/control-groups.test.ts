import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Driver, openSandbox, SandboxUnavailable } from '../src';
import { spawnProcess } from '../src/children/spawn-process';
import { isAlive } from '../src/is-alive';
import { CONFINING, collect, newFolder, policyOf, removeFolders, shell } from './spawned';

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
    const child = await sandbox.spawn(shell('exit 3', cwd), policyOf(cwd));
    const output = collect(child);
    expect((await child.exited).code).toBe(3);
    await child.end(0);
    await output;
    const [group = ''] = readdirSync(delegated);
    expect(read(group, 'memory.max')).toBe(String(MEMORY));
    expect(read(group, 'pids.max')).toBe('512');
    expect(read(group, 'cgroup.procs')).toBe(driver === 'bwrap' ? String(child.pid) : '0');
  });

  it('must be delegated, or openSandbox throws SandboxUnavailable', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const opening = openIn(driver, file);
    await expect(opening).rejects.toThrow(SandboxUnavailable);
    await expect(opening).rejects.toThrow('is not a delegated control group');
  });
});

it('spawnProcess kills a program that cannot be placed, and throws SpawnError', async () => {
  const cwd = newFolder();
  let started = 0;
  const spawning = spawnProcess({
    file: '/bin/sh',
    args: ['-c', 'read line <&4; echo > "$line"'],
    cwd,
    environment: {},
    hasChannel: true,
    place: (pid) => {
      started = pid;
      throw new Error('no such group');
    },
    extraInput: 'ran\n',
  });
  await expect(spawning).rejects.toMatchObject({ code: 'SANDBOX' });
  await expect(spawning).rejects.toThrow('/bin/sh could not be started: no such group');
  while (isAlive(started)) await setImmediate();
  expect(readdirSync(cwd)).toEqual([]);
});
