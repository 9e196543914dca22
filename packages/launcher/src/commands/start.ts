import { notice, paint, say, seconds } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { assertChosen, otherKeyNotice } from '../chosen-settings.js';
import { checkUrls, provideDatabases } from '../databases.js';
import { lockDataDir } from '../lock-data-dir.js';
import { migrate } from '../migrate.js';
import { choosePorts, type Ports } from '../ports.js';
import { keepUp } from '../process/keep-up.js';
import { type Lifecycle, together, untilStopped } from '../process/lifecycle.js';
import { provideBubblewrap } from '../programs/bubblewrap.js';
import { checkRedisUrl } from '../redis/given.js';
import { provideRedis } from '../redis/start.js';
import { rootWarning } from '../root-warning.js';
import { localSecrets } from '../secrets.js';
import {
  defineServices,
  PROJECTS,
  type Urls,
  urlsOf,
  wantedPorts,
} from '../services/definitions.js';
import { startServices, stopLeftovers } from '../services/start.js';
import { loadEnvFile, makeDataDir, readSettings, type Settings } from '../settings.js';
import { buildProjects } from './build.js';
import { startInBackground } from './local/start-in-background.js';
import { runRunner } from './runner.js';

export async function start(
  life: Lifecycle,
  root: string,
  [what, ...args]: string[],
): Promise<number | undefined> {
  if (what === 'runner') return runRunner(life, root, args);
  if (what === '--background') return startInBackground(life, root);
  if (what) throw new UserError(`start has no option ${what}.`, 'Use runner or --background.');
  await startAll(life, root);
  await untilStopped(life);
  return undefined;
}

export async function startAll(
  life: Lifecycle,
  root: string,
  nodeFlags: string[] = [],
): Promise<Urls> {
  const settings = check(root);
  makeDataDir(settings);
  const publish = await lockDataDir(life, settings);
  await stopLeftovers(settings);
  const ports = await settlePorts(settings);
  const secrets = localSecrets(settings);
  const { stop: signal } = life;
  const [{ databases, server }, redis, , sandbox] = await together(life, [
    provideDatabases(life, settings),
    provideRedis(life, settings),
    buildProjects(root, PROJECTS, signal),
    provideBubblewrap(root, settings.env, signal),
  ]);
  await migrate(root, databases, signal);
  const facts = { settings, ports, databases, redisUrl: redis.url, secrets, sandbox };
  const programs = defineServices(facts);
  for (const { args } of programs) args.unshift(...nodeFlags);
  await startServices(life, settings, programs);
  const urls = urlsOf(settings, ports);
  publish(urls);
  if (server) void keepUp(life, 'PostgreSQL', server);
  if (redis.server) void keepUp(life, 'Redis', redis.server);
  announce(settings, urls);
  return urls;
}

function check(root: string): Settings {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  assertChosen(settings);
  const otherKey = otherKeyNotice(settings);
  if (otherKey !== null) notice(otherKey);
  checkUrls(settings);
  checkRedisUrl(settings.env.REDIS_URL);
  return settings;
}

async function settlePorts({ host, env }: Settings): Promise<Ports> {
  const { ports, moved } = await choosePorts(wantedPorts(host), env);
  for (const [name, usual, port] of moved) {
    notice(`port ${usual} is in use: ${name} is ${port}`);
  }
  return ports;
}

function announce(settings: Settings, urls: Urls): void {
  const { dataDir, authMode, env } = settings;
  say('');
  for (const line of rootWarning(settings)) say(paint('red', line));
  say(paint('bold', `Switchyard is running (${seconds(0)})`));
  say(`  console         ${authMode === 'local_trusted' ? urls.board : env.PUBLIC_URL}`);
  say(`  API             ${urls.board}/api`);
  say(`  API reference   ${urls.board}/api/docs`);
  say(`  agent guide     ${urls.board}/api/agent-guide`);
  say(`  metrics         ${urls.metrics}/dashboard`);
  say(`  data            ${dataDir}   mode ${authMode}`);
  if (authMode === 'authenticated' && !env.BOOTSTRAP_TOKEN) {
    say(
      '  first account   use the token in the line "bootstrap token" of the log, unless an account exists',
    );
  }
  say('  Ctrl-C stops everything.\n');
}
