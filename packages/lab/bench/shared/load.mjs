import autocannon from 'autocannon';

export const json = (body, method = 'POST') => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Runs a closed loop: each connection sends its next request when the previous one has been
 * answered. `next` creates each request.
 * @throws Error when an answer is not a success
 */
export async function load({ url, path, request, next, connections = 16, ms = 2_000 }) {
  const found = await autocannon({
    url: `${url}${path ?? ''}`,
    connections,
    duration: ms / 1_000,
    ...request,
    ...(next && { requests: [{ setupRequest: (initial) => ({ ...initial, ...next() }) }] }),
  });
  if (found.non2xx + found.errors > 0) {
    throw new Error(`${url}${path ?? ''}: ${found.non2xx} refused, ${found.errors} failed`);
  }
  return {
    count: found['2xx'],
    perSecond: found['2xx'] / found.duration,
    p50: found.latency.p50,
    p99: found.latency.p99,
  };
}
