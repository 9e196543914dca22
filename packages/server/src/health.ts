import { withTimeout } from '@switchyard/async';
import type { Application } from 'express';

type Probe = () => Promise<void>;

/**
 * Returns within the deadline, because an orchestrator restarts a process whose health check waits.
 */
async function answerOf(probe: Probe, deadlineMs: number): Promise<'ok' | 'unavailable'> {
  try {
    await withTimeout(probe(), deadlineMs);
    return 'ok';
  } catch {
    return 'unavailable';
  }
}

export interface HealthOptions {
  required: Record<string, Probe>;
  observed?: Record<string, Probe>;
  isStopping(): boolean;
  /** Returns true if only a restart helps. Must return immediately. */
  isStuck?(): boolean;
  deadlineMs?: number;
}

interface WatchedPool {
  waitingCount: number;
  on(event: 'acquire', listener: () => void): unknown;
}

/**
 * Returns how many ms requests have waited without the pool serving any of them; 0 if no request
 * waits.
 */
export function watchPool(pool: WatchedPool, now = () => performance.now()): () => number {
  let servedAt = now();
  let waitingSince: number | null = null;
  pool.on('acquire', () => {
    servedAt = now();
  });
  return () => {
    if (pool.waitingCount === 0) {
      waitingSince = null;
      return 0;
    }
    waitingSince ??= now();
    return now() - Math.max(waitingSince, servedAt);
  };
}

export async function checkHealth(options: HealthOptions) {
  const { required, observed = {}, deadlineMs = 1000 } = options;
  const probes = Object.entries({ ...required, ...observed });
  const checked = await Promise.all(
    probes.map(async ([name, probe]) => [name, await answerOf(probe, deadlineMs)] as const),
  );
  const components = Object.fromEntries(checked);
  const ready =
    !options.isStopping() && Object.keys(required).every((name) => components[name] === 'ok');
  return { ready, components };
}

export function mountProbes(app: Application, options: HealthOptions): void {
  app.get('/livez', (_request, response) => {
    const isStuck = options.isStuck?.() === true;
    response.status(isStuck ? 503 : 200).json({ status: isStuck ? 'unavailable' : 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const { ready, components } = await checkHealth(options);
    const status = options.isStopping() ? 'stopping' : ready ? 'ok' : 'unavailable';
    response.status(ready ? 200 : 503).json({ status, components });
  });
}
