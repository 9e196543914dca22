import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC'];

export interface Answer {
  status: number;
  text: string;
  body: Record<string, unknown>;
  ms: number;
}

export type Collector = ReturnType<typeof newCollector>;

export function newCollector(root: string, databaseUrl: string, port: number) {
  const at = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function start(): Promise<number> {
    const started = performance.now();
    child = spawn(process.execPath, [join(root, 'services/metrics/dist/bin/metrics.js')], {
      env: {
        DATABASE_URL: databaseUrl,
        MARKET_METRICS_PORT: String(port),
        METRICS_SYMBOLS: SYMBOLS.map((name) => `${name}/USDT`).join(),
        METRICS_COLLECTION_TIMEOUT_MS: '8000',
        LOG_LEVEL: 'error',
        NODE_OPTIONS: '--max-semi-space-size=16',
        MALLOC_ARENA_MAX: '2',
      },
      stdio: 'ignore',
    });
    while ((await health()).status !== 200) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
      await sleep(20);
    }
    return performance.now() - started;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async function health(): Promise<Pick<Answer, 'status' | 'ms'>> {
    const started = performance.now();
    const response = await fetch(`${at}/health`).catch(() => undefined);
    return { status: response?.status ?? 0, ms: performance.now() - started };
  }

  async function collect(collectionId: string): Promise<Answer> {
    const started = performance.now();
    const response = await fetch(`${at}/metrics/collect`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ collection_id: collectionId }),
    });
    const text = await response.text();
    const ms = performance.now() - started;
    return { status: response.status, text, body: JSON.parse(text), ms };
  }

  function memoryMb(): number {
    const status = readFileSync(`/proc/${child?.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  return { start, end, health, collect, memoryMb };
}
