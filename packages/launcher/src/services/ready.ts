import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { Child } from './child.js';
import type { Program } from './definitions.js';

const LIMIT_MS = 60_000;

/** Resolves once `child`, one of `children`, is ready. @throws UserError when it ends before, or takes too long */
export async function untilReady(
  { definition, state }: Child<Program>,
  children: Child[],
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    signal.throwIfAborted();
    if (state.ended) throw await endsOf(children, signal);
    const status = await statusOf(definition.ready);
    if (status === 200) break;
    if (performance.now() > until) {
      throw new UserError(
        `${definition.name} was not ready after ${LIMIT_MS / 1000} s: ${definition.ready} → ${status}.`,
        'Its last lines above say what it waits for.',
        state.last.join('\n'),
      );
    }
    await sleep(80);
  }
  state.wasReady = true;
}

/** The status, or why there is none. */
function statusOf(url: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: 3000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'no answer'));
  });
}

/** What keeps one service from starting often keeps others too; they are heard before the start fails. */
const OTHERS_MS = 1_500;

/** Why the start failed: of every service that ended, so that all faults of a configuration are seen at once. */
async function endsOf(children: Child[], signal: AbortSignal): Promise<UserError> {
  const until = performance.now() + OTHERS_MS;
  const isOpen = ({ state }: Child) => !state.ended && !state.wasReady;
  while (children.some(isOpen) && performance.now() < until) {
    signal.throwIfAborted();
    await sleep(50);
  }
  const ended = children.filter(({ state }) => state.ended && !state.wasReady);
  const names = ended.map(({ definition, state }) => `${definition.name} ${state.ended}`);
  return new UserError(
    `${names.join(', ')} before ${ended.length > 1 ? 'they were' : 'it was'} ready.`,
    'The last lines above say why; correct that and start again.',
    ended.flatMap(({ state }) => state.last).join('\n'),
  );
}
