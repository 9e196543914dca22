import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { end } from '../process/end.js';
import { type Lifecycle, together } from '../process/lifecycle.js';
import type { Places } from '../settings.js';
import type { Program } from './definitions.js';
import { newService, type Service } from './service.js';

const NAMES = ['api', 'worker', 'runner', 'metrics'];

const recordOf = ({ runDir }: Places, name: string) => path.join(runDir, `${name}.json`);

/**
 * Stops services that outlived a killed launcher: they still use their ports, and would do the same
 * work as the new ones.
 */
export async function stopLeftovers(places: Places): Promise<void> {
  const recorded = NAMES.map((name) => ({ ...readJson(recordOf(places, name)), name }));
  const left = recorded.filter(isSame);
  if (left.length === 0) return;
  const names = left.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
  notice(`stopping processes of an earlier start: ${names}`);
  await Promise.all(left.map(({ pid }) => end(pid)));
}

export async function startServices(
  life: Lifecycle,
  places: Places,
  programs: Program[],
): Promise<void> {
  const services = programs.map((program) =>
    newService(life, program, recordOf(places, program.name)),
  );
  const stopAll = (isDue: (name: string) => boolean) => {
    const due = services.filter(({ definition }) => isDue(definition.name));
    return Promise.all(due.map((service) => service.stop()));
  };
  life.onEnd(() => stopAll((name) => name !== 'runner'));
  life.onEnd(() => stopAll((name) => name === 'runner'));
  await step('start api, worker, runner and metrics', async () => {
    for (const service of services) service.launch();
    const waits = services.map((service) => untilReady(service, services, life.stop));
    await together(life, waits);
    return { text: 'api, worker, runner and metrics are ready' };
  });
  for (const service of services) service.keepUp();
}

const LIMIT_MS = 60_000;

async function untilReady(
  { definition, state }: Service<Program>,
  services: Service[],
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    signal.throwIfAborted();
    if (state.ended) throw await endsOf(services, signal);
    const status = await statusOf(definition.ready);
    if (status === 200 && state.hasStarted) break;
    if (performance.now() > until) {
      throw new UserError(
        `${definition.name} was not ready after ${LIMIT_MS / 1000} s: ${definition.ready} → ${status}.`,
        'Its last lines above show what it waits for.',
        state.last.join('\n'),
      );
    }
    await sleep(80);
  }
  state.wasReady = true;
}

export async function statusOf(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3000) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return (error as { cause?: { code?: string } }).cause?.code ?? 'no response';
  }
}

/**
 * Time in ms for which the launcher waits for other failures, because one cause often stops several
 * services.
 */
const OTHERS_MS = 1_500;

async function endsOf(services: Service[], signal: AbortSignal): Promise<UserError> {
  const until = performance.now() + OTHERS_MS;
  const isOpen = ({ state }: Service) => !state.ended && !state.wasReady;
  while (services.some(isOpen) && performance.now() < until) {
    signal.throwIfAborted();
    await sleep(50);
  }
  const ended = services.filter(({ state }) => state.ended && !state.wasReady);
  const names = ended.map(({ definition, state }) => `${definition.name} ${state.ended}`);
  return new UserError(
    `${names.join(', ')} before ${ended.length > 1 ? 'they were' : 'it was'} ready.`,
    'The last lines above show the reason; correct it and start again.',
    ended.flatMap(({ state }) => state.last).join('\n'),
  );
}
