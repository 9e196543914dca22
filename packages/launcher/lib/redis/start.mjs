import path from 'node:path';
import { ORDER } from '../process/life.mjs';
import { readJson, writeJson } from '../process/lock.mjs';
import { isSame } from '../process/table.mjs';
import { step } from '../terminal/steps.mjs';
import { startServer, stopServer, untilPong, urlOf } from './server.mjs';
import { settlePassword } from './settle-password.mjs';

/**
 * A Redis that outlived a killed launcher: ours when its process is the one written down. One that does not
 * take our password, as an earlier release started it, is ended; the next one reads what it kept.
 */
async function adopt(record, password, signal) {
  if (!isSame(record)) return undefined;
  if (await untilPong(record, password, signal, 10_000)) return record;
  await stopServer(record);
  return undefined;
}

export async function startRedis(life, { dataDir, runDir, logDir }, seeking) {
  const recordFile = path.join(runDir, 'redis.json');
  const current = {};
  life.onEnd(ORDER.redis, () => current.server && stopServer(current.server, life.now));
  const record = readJson(recordFile);
  const password = settlePassword(dataDir);
  const hold = (server) => {
    current.server = server;
    writeJson(recordFile, server);
  };
  const options = {
    durable: true,
    password,
    port: record?.port,
    folder: path.join(dataDir, 'redis'),
    logFile: path.join(logDir, 'redis.log'),
    signal: life.stop,
  };
  await step('start Redis', async () => {
    options.program = await seeking;
    const found = await adopt(record, password, life.stop);
    if (found) hold(found);
    else await startServer(options, hold);
    const how = found ? ' (reused, it was still running)' : '';
    return { text: `${options.program.label} on 127.0.0.1:${current.server.port}${how}` };
  });
  const restart = () => startServer({ ...options, port: current.server.port }, hold);
  return { current, restart, url: urlOf(current.server, password) };
}
