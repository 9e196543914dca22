import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '@switchyard/testing';
import { listLiving } from '../../../test/living-processes';
import { endProcesses } from './end-processes';
import { listProcesses, listWithPs } from './list-processes';
import { identifyProcess, readStartTime } from './process-identity';

const children: ChildProcess[] = [];

function start(command: string, args: string[], environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env });
  children.push(child);
  return child;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    const closed =
      child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill('SIGKILL');
    child.stdout?.destroy();
    await closed;
  }
});

const readLine = (child: ChildProcess) =>
  once(createInterface({ input: child.stdout! }), 'line').then(([line]) => String(line));

async function orphanRun(runId: string, childScript: string, untilReaped = false) {
  const worker = start(
    process.execPath,
    [
      '-e',
      `const child = require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(childScript)}],
        { detached: true, stdio: ['ignore', 'inherit', 'ignore'], env: { PATH: process.env.PATH, SERVICE_RUN_ID: '${runId}' } }).on('exit', () => console.log('reaped'));`,
    ],
    {},
  );
  const pid = Number(await readLine(worker));
  const identity = await identifyProcess(pid);
  if (untilReaped) await readLine(worker);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  return identity;
}

test('endProcesses() ends the run of a dead worker with all its grandchildren', async () => {
  const runId = randomUUID();
  const identity = await orphanRun(
    runId,
    'trap "" TERM; sleep 60 & setsid sleep 60 & echo $$; sleep 60; sleep 60',
  );
  await until('the grandchildren', () => listLiving(runId).length >= 3);
  expect(await endProcesses({ runId, identity, graceMs: 100 })).toEqual({ remaining: [] });
  expect(listLiving(runId)).toEqual([]);
});

test('endProcesses() ends the process group after its leader has exited', async () => {
  const runId = randomUUID();
  const mark = `60.${Math.floor(Math.random() * 1e9)}`;
  const script = `env -i sleep ${mark} & sleep ${mark} & echo $$; sleep 0.5`;
  const identity = await orphanRun(runId, script, true);
  expect(await readStartTime(identity.pid)).toBeNull();
  await until('the grandchildren', () => listLiving(mark).length === 2);
  await endProcesses({ runId, identity, graceMs: 100 });
  expect(listLiving(mark)).toEqual([]);
});

test('endProcesses() finds a run without a stored identity by its environment variables', async () => {
  const runId = randomUUID();
  await orphanRun(runId, 'echo $$; sleep 60');
  await endProcesses({ runId, identity: null, graceMs: 100 });
  expect(listLiving(runId)).toEqual([]);
});

test('endProcesses() does not end a process that reuses the pid', async () => {
  const mark = randomUUID();
  const stranger = start('sh', ['-c', 'echo ready; sleep 60 & sleep 60'], { MARK: mark });
  await readLine(stranger);
  const runId = randomUUID();
  for (const startedAt of ['unknown', `${await readStartTime(process.pid)}`, '']) {
    const identity = { pid: stranger.pid!, startedAt };
    expect(await endProcesses({ runId, identity, graceMs: 0 })).toEqual({ remaining: [] });
  }
  expect(listLiving(mark).length).toBeGreaterThan(0);
  expect(stranger.signalCode).toBeNull();
});

test('endProcesses() ends only the attempt with the passed key, or all attempts if no key is passed', async () => {
  const runId = randomUUID();
  const begin = { SERVICE_RUN_ID: runId, SERVICE_API_KEY: 'first' };
  const first = start('sh', ['-c', 'echo ready; sleep 60'], begin);
  const second = start('sh', ['-c', 'echo ready; sleep 60'], {
    ...begin,
    SERVICE_API_KEY: 'second',
  });
  await Promise.all([readLine(first), readLine(second)]);
  const identity = await identifyProcess(first.pid!);
  await endProcesses({ runId, identity, attemptKey: 'first', graceMs: 100 });
  expect(listLiving('SERVICE_API_KEY=first')).toEqual([]);
  expect(second.signalCode).toBeNull();
  expect(listLiving(runId).length).toBeGreaterThan(0);
  await endProcesses({ runId, identity, graceMs: 100 });
  expect(listLiving(runId)).toEqual([]);
});

test.each([0, 1, -5, 1.5, Number.NaN])('endProcesses() rejects the pid %p', async (pid) => {
  const request = { runId: randomUUID(), identity: { pid, startedAt: 'x' }, graceMs: 0 };
  await expect(endProcesses(request)).rejects.toThrow('is not the pid of a child');
});

test('readStartTime() returns a different time for each process, and null for a process that has ended', async () => {
  const child = start('sleep', ['60'], {});
  const [own, other] = [await readStartTime(process.pid), await readStartTime(child.pid!)];
  expect(own).toMatch(/^[0-9a-f-]{36}:\d+$/);
  expect(other).not.toBe(own);
  expect(await readStartTime(process.pid)).toBe(own);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readStartTime(child.pid!)).toBeNull();
});

test('listWithPs() returns the same parents and groups as listProcesses()', async () => {
  const child = start('sleep', ['60'], {});
  const pick = (all: Awaited<ReturnType<typeof listProcesses>>) => {
    const { pid, parent, group, dead } = all.find((entry) => entry.pid === child.pid)!;
    return { pid, parent, group, dead };
  };
  expect(pick(await listWithPs())).toEqual(pick(await listProcesses()));
});
