import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { problem } from '../problem.mjs';

const LIMIT_MS = 60_000;
/** What keeps one service from starting often keeps others too; they are heard before the start fails. */
const OTHERS_MS = 1_500;

export function statusOf(url) {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: 3000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', (error) => resolve(error.code ?? 'no answer'));
  });
}

/** Why the start failed: of every service that ended, so that all faults of a configuration are seen at once. */
async function endsOf(children, signal) {
  const until = performance.now() + OTHERS_MS;
  const isOpen = ({ state }) => !state.ended && !state.wasReady;
  while (children.some(isOpen) && performance.now() < until) {
    signal.throwIfAborted();
    await sleep(50);
  }
  const ended = children.filter(({ state }) => state.ended && !state.wasReady);
  const names = ended.map(({ definition, state }) => `${definition.name} ${state.ended}`);
  return problem(
    `${names.join(', ')} before ${ended.length > 1 ? 'they were' : 'it was'} ready.`,
    'The last lines above say why; correct that and start again.',
    ended.flatMap(({ state }) => state.last).join('\n'),
  );
}

/** Resolves once `child`, one of `children`, answers. @throws problem when it ends before, or takes too long */
export async function untilReady(child, children, signal) {
  const { definition, state } = child;
  const until = performance.now() + LIMIT_MS;
  for (let status = 'no answer'; ; ) {
    signal.throwIfAborted();
    if (state.ended) throw await endsOf(children, signal);
    status = await statusOf(definition.ready);
    if (status === 200) break;
    if (performance.now() > until) {
      throw problem(
        `${definition.name} was not ready after ${LIMIT_MS / 1000} s: ${definition.ready} → ${status}.`,
        'Its last lines above say what it waits for.',
        state.last.join('\n'),
      );
    }
    await sleep(80);
  }
  state.wasReady = true;
}
