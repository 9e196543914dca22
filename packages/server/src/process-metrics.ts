import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './version';

/**
 * Sampling interval in ms of the event loop delay. Each sample wakes the process: the default of 10
 * ms costs 0.8 % of a core when idle. An idle process reports this interval as its delay.
 */
const LAG_SAMPLE_MS = 50;

export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  // Omits these gauges, because promtool rejects their names, which end like names of counters.
  // Other gauges contain the same counts by type.
  for (const what of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }
  return registry;
}

export function observeBuild(registry: Registry, prefix: string, schema: string): void {
  const labels = { version: VERSION, schema };
  new Gauge({
    name: `${prefix}_build_info`,
    help: 'The release and the newest migration that it requires.',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
}

interface Connections {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

export function observePool(
  registry: Registry,
  prefix: string,
  pool: Connections,
  size: number,
): void {
  const registers = [registry];
  new Gauge({
    name: `${prefix}_database_connections`,
    help: 'Number of pool connections, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: `${prefix}_database_connections_max`,
    help: 'Maximum number of pool connections.',
    registers,
    collect() {
      this.set(size);
    },
  });
  new Gauge({
    name: `${prefix}_database_waiting_requests`,
    help: 'Number of requests that wait for a pool connection.',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}

/**
 * Reports the free space of the file system of `folder`, as `df` does for accounts other than root.
 * Reports nothing while the folder cannot be read.
 */
export function observeDisk(registry: Registry, prefix: string, folder: string): void {
  const show = (name: string, help: string, read: (disk: StatsFs) => number) =>
    new Gauge({
      name: `${prefix}_data_dir_${name}_bytes`,
      help,
      registers: [registry],
      async collect() {
        const disk = await statfs(folder).catch(() => null);
        if (disk) this.set(read(disk));
        else this.remove();
      },
    });
  show('free', 'Free bytes of the file system of DATA_DIR.', ({ bavail, bsize }) => bavail * bsize);
  show('size', 'Size of the file system of DATA_DIR.', ({ blocks, bsize }) => blocks * bsize);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Labels by route, because the number of paths is unbounded. Omits open event streams. */
export function observeRequests(registry: Registry, prefix: string) {
  const duration = new Histogram({
    name: `${prefix}_http_request_duration_seconds`,
    help: 'Time from the first byte of a request until its response is sent or aborted.',
    labelNames: ['method', 'route', 'status_class'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    const end = duration.startTimer();
    response.on('close', () => {
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
      const { route } = request as { route?: { path?: unknown } };
      const path = typeof route?.path === 'string' ? route.path : 'other';
      end({
        method: METHODS.includes(request.method) ? request.method : 'other',
        route: path,
        status_class: `${Math.floor(response.statusCode / 100)}xx`,
      });
    });
    next();
  };
}
