// Usage: DATABASE_URL=… node services/metrics/bench/memory.mjs [seconds, default 120] [options of node …]
// Starts the built service on a migrated database of its own, and prints its resident memory at the start, after the
// first collection, and each five seconds while eight callers collect, read and draw. MALLOC_ARENA_MAX is handed on.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const seconds = Number(process.argv[2] ?? 120);
const PORT = '3299';
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC'];
const bin = fileURLToPath(new URL('../dist/bin/metrics.js', import.meta.url));
const child = spawn(process.execPath, [...process.argv.slice(3), bin], {
  env: {
    PATH: process.env.PATH,
    DATABASE_URL: process.env.DATABASE_URL,
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX,
    MARKET_METRICS_PORT: PORT,
    METRICS_SYMBOLS: SYMBOLS.map((name) => `${name}/USDT`).join(),
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
  },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const memoryMb = () =>
  Math.round(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1] / 1024);

async function ask(path, body) {
  const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, body ? options : {});
  await response.arrayBuffer();
  return response.status;
}

const PATHS = [
  '/metrics/history?limit=1000',
  '/dashboard/state',
  '/metrics',
  '/health',
  '/metrics/history?kind=market&interval=1h&agg=avg',
  '/grids/status',
  '/regime/current',
  '/dashboard',
];
let asked = 0;
async function call(until) {
  while (Date.now() < until) {
    const turn = asked++;
    if (turn % 2 === 0) await ask('/metrics/collect', '{}');
    else await ask(PATHS[(turn >> 1) % PATHS.length]);
  }
}

while ((await ask('/health').catch(() => 0)) !== 200) await sleep(50);
console.log(`at the start ${memoryMb()} MB`);
await ask('/metrics/collect', '{}');
console.log(`after the first collection ${memoryMb()} MB`);
const until = Date.now() + seconds * 1000;
const callers = Promise.all(Array.from({ length: 8 }, () => call(until)));
let peak = 0;
const seen = [];
while (Date.now() < until) {
  await sleep(Math.min(5000, Math.max(until - Date.now(), 1)));
  seen.push(memoryMb());
  peak = Math.max(peak, ...seen);
}
await callers;
console.log(`${asked} requests of 8 callers in ${seconds} s: peak ${peak} MB (${seen.join(' ')})`);
child.kill('SIGTERM');
