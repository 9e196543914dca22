import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as metrics from '../../services/metrics/src/config';
import * as orchestration from '../../services/orchestration/src/config';
import { readRunnerSettings } from '../../services/orchestration/src/runner/runner-settings';
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
    ports: [
      usual.apiPort,
      usual.workerPort,
      usual.network.agentPort,
      RUNNER_PORT,
      usual.apiMetricsPort,
    ],
    known: orchestration.ENVIRONMENT_NAMES,
  },
  {
    service: 'orchestration',
    target: 'runner',
    ports: [RUNNER_PORT],
    known: orchestration.ENVIRONMENT_NAMES,
  },
  {
    service: 'metrics',
    ports: [metrics.readConfig(SAMPLES).port],
    // The image of both is made alike; only one keeps data.
    known: [...metrics.ENVIRONMENT_NAMES, 'DATA_DIR'],
  },
];
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile
const SYSTEM = 'FROM ${BASE_IMAGE} AS system\n';
const textOf = (service: string) =>
  readFileSync(join(ROOT, 'services', service, 'Dockerfile'), 'utf8');

it.each(EXPECTED)('the Dockerfile of $service keeps the rules ($target)', (expected) => {
  expect(dockerfileFindings(textOf(expected.service), expected)).toEqual([]);
});

it.each(EXPECTED)(
  'the $service image is labelled with the version of package.json',
  ({ service }) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const defaults = [...textOf(service).matchAll(/^ARG VERSION=(.*)$/gm)].map(([, one]) => one);
    expect(new Set(defaults)).toEqual(new Set([version]));
  },
);

it('every file names an image of others with the same tag and digest', () => {
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

it('both build alike', () => {
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
  // One of them serves the console, and builds it first.
  expect(orchestration).toMatch(builtDemo);
  const common = orchestration.replace(builtConsole, '\n').replace(builtDemo, '');
  expect(alike(textOf('metrics'))).toBe(common);
});

it('what is not committed, and what only tests need, is not sent to the build', () => {
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

describe('planted errors', () => {
  const planted: [string, string | RegExp, string, RegExp][] = [
    ['an instruction that does not exist', 'STOPSIGNAL', 'STOPSIGNALS', /unknown instruction/i],
    ['a base that is not an argument', SYSTEM, 'FROM node:20 AS system\n', /can't be replaced/],
    ['a base that moves', /@sha256:[0-9a-f]+/, '', /is not one image/],
    ['an old Node', /node:24[^@]+/, 'node:20.20.0-bookworm-slim', /is not one image/],
    [
      'a package manager whose hash nobody checks',
      'node packages/bootstrap/pnpm.mjs fetch',
      'npx -y pnpm@10.34.9 fetch',
      /checks no hash/,
    ],
    ['root', 'USER 10001:10001\n', '', /does not run as a number/],
    ['a user by name', 'USER 10001:10001', 'USER node', /does not run as a number/],
    ['all of the sources', 'COPY --from=build /app ./', 'COPY . ./', /more than what was deployed/],
    ['another port', 'EXPOSE 3100', 'EXPOSE 3000', /exposes 3000/],
    ['Node as process 1', '["/usr/bin/tini", "--"]', '["node"]', /nothing reaps/],
    [
      'a shell in between',
      'CMD ["node", "dist/bin/api.js"]',
      'CMD node dist/bin/api.js',
      /not built here/,
    ],
    ['a command that is not there', '"dist/bin/api.js"', '"dist/bin/server.js"', /not built here/],
    [
      'a health check by curl',
      /CMD \["node", "node_modules.*\]/,
      'CMD curl -f http://127.0.0.1:3100/livez',
      /node runs/,
    ],
    ['a health check of the database', '3100/livez', '3100/readyz', /asks \/readyz/],
    ['a health check of another port', '3101/livez', '3199/livez', /asks port 3199/],
    ['a variable that nothing reads', 'HOST=0.0.0.0', 'HOSTS=0.0.0.0', /sets HOSTS/],
    ['more memory', 'size=16', 'size=64', /does not set NODE_OPTIONS/],
    ['a secret', 'HOST=0.0.0.0', 'SESSION_SECRET=x', /holds SESSION_SECRET/],
    [
      'a label that is missing',
      /org\.opencontainers\.image\.revision="\$\{REVISION\}" \\\n\s*/,
      '',
      /no label revision/,
    ],
    ['a host', 'ENV CI=true', 'ENV CI=https://packages.example.com', /names a registry/],
    [
      'a file that is not there',
      'COPY package.json',
      'COPY yarn.lock package.json',
      /yarn\.lock, which is not there/,
    ],
  ];

  it.each(planted)('%s', (_, what, instead, expected) => {
    const text = textOf('orchestration');
    const changed = text.replace(what, instead);
    expect(changed).not.toBe(text);
    const ofBoth = EXPECTED.filter(({ service }) => service === 'orchestration');
    const found = ofBoth.flatMap((image) => dockerfileFindings(changed, image));
    expect(found.join('\n')).toMatch(expected);
  });
});
