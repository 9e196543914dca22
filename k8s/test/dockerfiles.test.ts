import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRunnerSettings } from '../../packages/runner/src/runner-settings';
import * as metrics from '../../services/metrics/src/config';
import * as orchestration from '../../services/orchestration/src/config';
import { ENVIRONMENT_NAMES } from '../../services/orchestration/src/settings/environment';
import { dockerfileFindings, type Expected } from './dockerfile-rules';
import { ROOT } from './manifest';
import { SAMPLES } from './settings-rules';

const usual = orchestration.readConfig(SAMPLES);
const RUNNER_PORT = readRunnerSettings({
  RUNNER_URL: 'http://worker:3101',
  RUNNER_TOKEN: 'x',
}).port;
const EXPECTED: Expected[] = [
  {
    service: 'orchestration',
    ports: [usual.apiPort, usual.workerPort, usual.network.agentPort, usual.apiMetricsPort],
    known: ENVIRONMENT_NAMES,
  },
  {
    service: 'orchestration',
    target: 'runner',
    ports: [RUNNER_PORT],
    known: ENVIRONMENT_NAMES,
  },
  {
    service: 'metrics',
    ports: [metrics.readConfig(SAMPLES).port],
    known: [...metrics.ENVIRONMENT_NAMES, 'DATA_DIR'],
  },
];
const textOf = (service: string) =>
  readFileSync(join(ROOT, 'services', service, 'Dockerfile'), 'utf8');

it.each(EXPECTED)(
  'the $service image with the ports $ports complies with the Dockerfile rules',
  (expected) => {
    expect(dockerfileFindings(textOf(expected.service), expected)).toEqual([]);
  },
);

it.each(EXPECTED)(
  'the version label of the $service image equals the version in package.json',
  ({ service }) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const defaults = [...textOf(service).matchAll(/^ARG VERSION=(.*)$/gm)].map(([, one]) => one);
    expect(new Set(defaults)).toEqual(new Set([version]));
  },
);

it('all files use the same tag and digest for each third-party image', () => {
  const files = [
    'docker-compose.yml',
    'services/metrics/Dockerfile',
    'services/orchestration/Dockerfile',
    'k8s/components/datastores/postgresql.yaml',
    'k8s/components/datastores/redis.yaml',
  ];
  const texts = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  const images = new Set(texts.match(/\b(node|postgres|redis):[\w.-]+(@sha256:[0-9a-f]+)?/g));
  expect([...images].map((image) => image.replace(/:.*/, '')).sort()).toEqual([
    'node',
    'postgres',
    'redis',
  ]);
});

it('both Dockerfiles have the same build stage, except for the console, the client and the demo', () => {
  const alike = (text: string) =>
    text
      .slice(text.indexOf('\nARG BASE_IMAGE'), text.indexOf('\nFROM ', text.indexOf(' AS build\n')))
      .replace(/^#.*\n/gm, '')
      .replace(/metrics|orchestration/g, 'x')
      .replace('in x x;', 'in x;');
  const builtConsole = ' \\\n && node packages/console/bin/build.mjs\n';
  const builtDemo =
    /^RUN node_modules\/\.bin\/tsc -b services\/x \\\n && node packages\/client\/.*\n(?: && .*\n)*/m;
  const orchestration = alike(textOf('orchestration'));
  expect(orchestration).toContain(builtConsole);
  expect(orchestration).toMatch(builtDemo);
  const common = orchestration.replace(builtConsole, '\n').replace(builtDemo, '');
  expect(alike(textOf('metrics'))).toBe(common);
});

it('.dockerignore excludes local data, build output and test files', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  for (const name of [
    '**/node_modules',
    '**/dist',
    '**/generated',
    '**/.env',
    '.git',
    '.data*',
    '**/*.test.ts',
    'backups*',
  ]) {
    expect(ignored).toContain(name);
  }
});
