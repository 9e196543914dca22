import path from 'node:path';
import { ORDER } from '../process/life.mjs';
import { readJson, writeJson } from '../process/lock.mjs';
import { notice, step } from '../terminal/steps.mjs';
import { chooseAccount } from './account.mjs';
import { chooseBinaries } from './binaries.mjs';
import { makeCluster } from './cluster.mjs';
import { dataMajor, programsBeside, reachableBinaries, readPlace, settlePlace } from './place.mjs';
import { adopt, startServer, stopServer } from './server.mjs';

function prepare({ root, env, dataDir }) {
  const kept = readPlace(dataDir);
  const account = chooseAccount(path.join(kept.folder, 'postgres'));
  const binaries = chooseBinaries(root, env, dataMajor(kept.folder));
  const place = settlePlace(dataDir, account, kept);
  if (place.folder !== dataDir) {
    notice(
      `account "${account.name}" may not enter ${dataDir}: its database is in ${place.folder}`,
    );
  }
  const programs = programsBeside(place.folder, dataDir);
  return { account, binaries: reachableBinaries(binaries, account, programs), ...place };
}

async function startOrAdopt(options, hold) {
  const found = await adopt(options);
  if (found) {
    hold(found);
    return { server: found, how: 'reused, it was still running' };
  }
  const fresh = await makeCluster(options);
  const server = await startServer(options, hold);
  return { server, how: fresh ? 'new data folder' : 'existing data' };
}

/** The server on DATA_DIR; `restart` brings it back after a crash. */
export async function startPostgres(life, settings) {
  const { root, runDir, logDir } = settings;
  const portFile = path.join(runDir, 'postgres-port.json');
  const current = {};
  life.onEnd(ORDER.postgres, () => current.server && stopServer(current.server, life.now));
  const hold = (server) => {
    current.server = server;
  };
  let options;
  await step('start PostgreSQL', async () => {
    options = {
      ...prepare(settings),
      root,
      durable: true,
      port: readJson(portFile)?.port,
      logFile: path.join(logDir, 'postgres.log'),
      signal: life.stop,
    };
    const { server, how } = await startOrAdopt(options, hold);
    writeJson(portFile, { port: server.port });
    const { version } = options.binaries;
    return { text: `PostgreSQL ${version} on 127.0.0.1:${server.port} (${how})` };
  });
  const restart = async () => startServer({ ...options, port: current.server.port }, hold);
  return { current, restart };
}
