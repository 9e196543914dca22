import { installAndBuild } from './build.mjs';
import { claimDataDir } from './claim.mjs';
import { checkUrls, provideDatabases } from './databases.mjs';
import { migrate } from './migrate.mjs';
import { choosePorts } from './ports.mjs';
import { together, untilStopped } from './process/life.mjs';
import { checkRedisUrl, provideRedis } from './queue-server.mjs';
import { seekRedis } from './redis/choose.mjs';
import { rootWarning } from './root-warning.mjs';
import { localSecrets } from './secrets.mjs';
import { defineServices, PROJECTS, urlsOf, wantedPorts } from './services/definitions.mjs';
import { keepUp } from './services/keep-up.mjs';
import { startServices, stopLeftovers } from './services/start.mjs';
import { loadEnvFile, makeDataDir, readSettings } from './settings.mjs';
import { paint } from './terminal/colour.mjs';
import { notice, say, seconds } from './terminal/steps.mjs';

function check(root) {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  checkUrls(settings);
  checkRedisUrl(settings.env.REDIS_URL);
  return settings;
}

async function settlePorts({ host, env }) {
  const { ports, moved } = await choosePorts(wantedPorts(host), env);
  for (const [name, usual, port] of moved) {
    notice(`port ${usual} is taken: ${name} is ${port}`);
  }
  return ports;
}

function announce(settings, urls, begun) {
  const { dataDir, authMode, env } = settings;
  say('');
  for (const line of rootWarning(settings)) say(paint('red', line));
  say(paint('bold', `Switchyard is running (${seconds(begun)})`));
  say(`  API             ${urls.board}/api`);
  say(`  API reference   ${urls.board}/api/docs`);
  if (authMode !== 'local_trusted') say(`  sign in         ${new URL('/login', env.PUBLIC_URL)}`);
  say(`  metrics         ${urls.metrics}/dashboard`);
  say(`  data            ${dataDir}   mode ${authMode}`);
  say('  Ctrl-C stops everything.\n');
}

/** Everything from a fresh clone to services that answer; gives back what `dev` builds on. */
export async function startAll(life, root) {
  const begun = performance.now();
  const settings = check(root);
  makeDataDir(settings);
  const publish = await claimDataDir(life, settings);
  await stopLeftovers(settings);
  const ports = await settlePorts(settings);
  const secrets = localSecrets(settings);
  const { stop: signal } = life;
  // Needs the network, as the packages do, but nothing of theirs.
  const seeking = settings.env.REDIS_URL ? undefined : seekRedis(root, settings.env, { signal });
  const building = installAndBuild(root, { signal, projects: PROJECTS });
  await together(life, [building, Promise.resolve(seeking)]);
  const [{ databases, server }, redis] = await together(life, [
    provideDatabases(life, settings),
    provideRedis(life, settings, seeking),
  ]);
  await migrate(root, databases, signal);
  const facts = { settings, ports, databases, redisUrl: redis.url, secrets };
  const children = await startServices(life, settings, defineServices(facts));
  const urls = urlsOf(settings, ports);
  publish(urls);
  if (server) void keepUp(life, 'PostgreSQL', server);
  if (redis.server) void keepUp(life, 'Redis', redis.server);
  announce(settings, urls, begun);
  return { settings, children };
}

export async function start(life, root) {
  await startAll(life, root);
  await untilStopped(life);
}
