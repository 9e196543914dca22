import path from 'node:path';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { end } from '../process/end.js';
import { type Lifecycle, together } from '../process/lifecycle.js';
import type { Places } from '../settings.js';
import type { Program } from './definitions.js';
import { untilReady } from './ready.js';
import { newService } from './service.js';

const listFile = ({ runDir }: Places) => path.join(runDir, 'processes.json');

/** Services that outlived a killed launcher hold ports and would work twice. */
export async function stopLeftovers(places: Places): Promise<void> {
  const recorded: { name: string; pid: number; started: string }[] =
    readJson(listFile(places)) ?? [];
  const left = recorded.filter(isSame);
  if (left.length === 0) return;
  const names = left.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
  notice(`stopping what an earlier start left behind: ${names}`);
  await Promise.all(left.map(({ pid }) => end(pid)));
}

/** Starts the services, waits until they are ready, and keeps them up. */
export async function startServices(
  life: Lifecycle,
  places: Places,
  programs: Program[],
): Promise<void> {
  const record = () => {
    const alive = services.filter(({ state }) => state.pid);
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
  const services = programs.map((program) => newService(life, program, record));
  const stopAll = (isDue: (name: string) => boolean) => {
    const due = services.filter(({ definition }) => isDue(definition.name));
    return Promise.all(due.map((service) => service.stop()));
  };
  life.onEnd(() => stopAll((name) => name !== 'runner'));
  // It ends first: it reports to the worker what becomes of its runs.
  life.onEnd(() => stopAll((name) => name === 'runner'));
  await step('start api, worker, runner and metrics', async () => {
    for (const service of services) service.launch();
    await together(
      life,
      services.map((service) => untilReady(service, services, life.stop)),
    );
    return { text: 'api, worker, runner and metrics answer' };
  });
  for (const service of services) service.keepUp();
}
