import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { problem } from '../problem.mjs';

const LIMIT_MS = 60_000;

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

export async function untilReady({ definition, state }, signal) {
  const until = performance.now() + LIMIT_MS;
  const detail = () => state.last.join('\n');
  for (let status = 'no answer'; ; ) {
    signal.throwIfAborted();
    if (state.ended) {
      throw problem(
        `${definition.name} ${state.ended} before it was ready.`,
        'Its last lines above say why; correct that and start again.',
        detail(),
      );
    }
    status = await statusOf(definition.ready);
    if (status === 200) break;
    if (performance.now() > until) {
      throw problem(
        `${definition.name} was not ready after ${LIMIT_MS / 1000} s: ${definition.ready} → ${status}.`,
        'Its last lines above say what it waits for.',
        detail(),
      );
    }
    await sleep(80);
  }
  state.wasReady = true;
}
