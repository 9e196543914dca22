import path from 'node:path';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { end } from '../process/end.js';
import { type Lifecycle, together } from '../process/lifecycle.js';
import type { Places } from '../settings.js';
import { type Child, newChild } from './child.js';
import type { Program } from './definitions.js';
import { untilReady } from './ready.js';

const listFile = ({ runDir }: Places) => path.join(runDir, 'processes.json');

interface Recorded {
  name: string;
  pid: number;
  started: string;
}

/** Services that outlived a killed launcher hold ports and would work twice. */
export async function stopLeftovers(places: Places): Promise<void> {
  const recorded: Recorded[] = readJson(listFile(places)) ?? [];
  const left = recorded.filter(isSame);
  if (left.length === 0) return;
  const names = left.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
  notice(`stopping what an earlier start left behind: ${names}`);
  await Promise.all(left.map(({ pid }) => end(pid)));
}

export async function startServices(
  life: Lifecycle,
  places: Places,
  definitions: Program[],
): Promise<Child[]> {
  const children: Child<Program>[] = [];
  const record = () => {
    const alive = children.filter(({ state }) => state.pid);
    const list = alive.map(({ definition: { name }, state: { pid, started } }) => ({
      name,
      pid,
      started,
    }));
    try {
      writeJson(listFile(places), list);
    } catch (error) {
      // A note for the next start; a full disk must not end this one.
      const { code } = error as NodeJS.ErrnoException;
      notice(`${listFile(places)} cannot be written (${code})`);
    }
  };
  const stopAll = (isDue: (name: string) => boolean) => () =>
    Promise.all(
      children.filter(({ definition }) => isDue(definition.name)).map((child) => child.stop()),
    );
  // It tells the worker what becomes of its runs.
  life.onEnd(
    'runner',
    stopAll((name) => name === 'runner'),
  );
  life.onEnd(
    'services',
    stopAll((name) => name !== 'runner'),
  );
  await step('start api, worker, runner and metrics', async () => {
    for (const definition of definitions) {
      const child = newChild(life, definition, record);
      children.push(child);
      child.launch();
    }
    const waits = children.map((child) => untilReady(child, children, life.stop));
    await together(life, waits);
    return { text: 'api, worker, runner and metrics answer' };
  });
  return children;
}
