// Runs a collector without a server. It collects when its parent process asks; the parent also sets
// its clock and the limiter's. LIMITED=true applies the exchange's rate limits.
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const { silentLogger } = require('@switchyard/server');
const { readConfig } = require('@switchyard/metrics/dist/config.js');
const { createContext } = require('@switchyard/metrics/dist/context.js');

let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const timer = {
  now: () => performance.now() + aheadMs,
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};
const config = readConfig(process.env);
config.exchange.rateLimit = process.env.LIMITED === 'true';
const context = createContext(config, { logger: silentLogger, clock, timer });

async function collect() {
  const began = performance.now();
  const before = process.cpuUsage();
  const { answer } = await context.collector.collect({ source: 'bench' });
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  const { degraded, components, error } = JSON.parse(answer);
  const problem = degraded === false ? undefined : (error ?? JSON.stringify(components));
  return { ms, cpu: (user + system) / 1000, problem };
}

process.on('message', async (message) => {
  if (message.aheadMs !== undefined) aheadMs = message.aheadMs;
  process.send(message.collects ? await collect() : {});
});
process.on('disconnect', () => void context.close().then(() => process.exit()));
process.send({});
