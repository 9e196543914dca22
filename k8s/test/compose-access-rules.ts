import { type Composed, type ComposedFile, environmentOf, fileOf, mountsOf } from './compose-files';
import { SERVES } from './compose-rules';
import type { Labels } from './manifest';

const userOf = (url = 'none:') => new URL(url).username;
const passwordOf = (url = 'none:') => decodeURIComponent(new URL(url).password);

const ROLES: Record<string, string> = {
  api: 'switchyard_app',
  worker: 'switchyard_app',
  metrics: 'switchyard_metrics',
};

function databaseFindings(services: ComposedFile, files: Labels): string[] {
  return SERVES.filter((name) => name !== 'runner').flatMap((name) => {
    const { DATABASE_URL: url, ...rest } = environmentOf(services[name] as Composed, files);
    const others = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL'].filter((one) => rest[one]);
    return [
      ...(userOf(url) === ROLES[name] ? [] : [`${name}: is ${userOf(url)} in the database`]),
      ...others.map((one) => `${name}: holds ${one}`),
    ];
  });
}

function redisFindings(services: ComposedFile, files: Labels): string[] {
  const redis = services.redis as Composed;
  const command = redis.command ?? [];
  const config = command.find((word) => word.endsWith('.conf')) ?? '';
  const password = /^requirepass (\S{24,})$/m.exec(fileOf(redis, files, config) ?? '')?.[1];
  const found = password ? [] : ['redis: asks for no password'];
  if (command.includes('--requirepass')) found.push('redis: has its password as an argument');
  for (const name of ['api', 'worker']) {
    const { REDIS_URL: url } = environmentOf(services[name] as Composed, files);
    if (passwordOf(url) !== password) found.push(`${name}: does not know the password of redis`);
  }
  return found;
}

function runnerFindings(services: ComposedFile, files: Labels): string[] {
  const environment = environmentOf(services.runner as Composed, files);
  return Object.keys(environment)
    .filter((name) => name !== 'RUNNER_TOKEN')
    .filter((name) => /SECRET|PASSWORD|TOKEN$|_KEY(_ID|_OLD)?$|DATABASE|REDIS/.test(name))
    .map((name) => `runner: holds ${name}`)
    .concat(
      mountsOf(services.runner as Composed)
        .filter(({ volume }) => !['keys-runner', 'runner'].includes(volume))
        .map(({ volume }) => `runner: has the volume ${volume}`),
    );
}

const NEIGHBOURS: Record<string, string[]> = {
  postgres: ['migrate', 'migrate-metrics', 'api', 'worker', 'metrics', 'operator'],
  redis: ['api', 'worker'],
  metrics: ['postgres', 'migrate-metrics', 'operator'],
};

function networkFindings(services: ComposedFile): string[] {
  return Object.entries(NEIGHBOURS).flatMap(([name, expected]) => {
    const own = services[name]?.networks ?? [];
    const reached = Object.keys(services).filter(
      (other) => other !== name && services[other]?.networks?.some((one) => own.includes(one)),
    );
    return reached
      .filter((other) => !expected.includes(other))
      .map((other) => `${other}: reaches ${name}`);
  });
}

export const accessFindings = (services: ComposedFile, files: Labels): string[] => [
  ...databaseFindings(services, files),
  ...redisFindings(services, files),
  ...runnerFindings(services, files),
  ...networkFindings(services),
];
