import path from 'node:path';
import { ORDER } from '../process/life.mjs';
import { readJson, writeJson } from '../process/lock.mjs';
import { isSame } from '../process/table.mjs';
import { step } from '../terminal/steps.mjs';
import { orJavaScript } from './choose.mjs';
import { startServer, stopServer, untilPong } from './server.mjs';

/** A Redis that outlived a killed launcher: ours when its process is the one written down. */
async function adopt(record, signal) {
  if (!isSame(record)) return undefined;
  if (await untilPong(record, signal, 10_000)) return record;
  await stopServer(record);
  return undefined;
}

export async function startRedis(life, { root, dataDir, runDir, logDir }, seeking) {
  const recordFile = path.join(runDir, 'redis.json');
  const current = {};
  life.onEnd(ORDER.redis, () => current.server && stopServer(current.server, life.now));
  const record = readJson(recordFile);
  const hold = (server) => {
    current.server = server;
    writeJson(recordFile, server);
  };
  const options = {
    durable: true,
    port: record?.port,
    folder: path.join(dataDir, 'redis'),
    logFile: path.join(logDir, 'redis.log'),
    signal: life.stop,
  };
  await step('start Redis', async () => {
    options.program = orJavaScript(await seeking, root);
    const found = await adopt(record, life.stop);
    if (found) hold(found);
    else await startServer(options, hold);
    const how = found ? ' (reused, it was still running)' : '';
    return { text: `${options.program.label} on 127.0.0.1:${current.server.port}${how}` };
  });
  const restart = () => startServer({ ...options, port: current.server.port }, hold);
  return { current, restart };
}
