import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './manifest';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const FILES = [
  'docker-compose.yml',
  'services/metrics/Dockerfile',
  'services/orchestration/Dockerfile',
  'k8s/components/datastores/postgresql.yaml',
  'k8s/components/datastores/redis.yaml',
];

let root: string;
afterEach(() => rmSync(root, { recursive: true }));

/** The files that name images, and a `docker` that knows what it is told. */
function project(docker: string) {
  root = mkdtempSync(join(tmpdir(), 'pin-images-'));
  for (const file of [...FILES, 'k8s/images/pin-images.mjs']) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(ROOT, file), join(root, file));
  }
  for (const name of ['docker', 'skopeo']) {
    writeFileSync(join(root, name), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  }
  const args = [join(root, 'k8s/images/pin-images.mjs')];
  const env = { ...process.env, PATH: `${root}:${process.env.PATH}` };
  return (...more: string[]) => spawnSync(process.execPath, [...args, ...more], { env });
}

const read = () => FILES.map((file) => readFileSync(join(root, file), 'utf8'));
const imagesOf = (texts: string[]) =>
  new Set(texts.join('\n').match(/\b(node|postgres|redis):[\w.-]+(@sha256:[0-9a-f]+)?/g));

it('names each image in one way everywhere, by its content', () => {
  const images = [...imagesOf(FILES.map((file) => readFileSync(join(ROOT, file), 'utf8')))];
  root = mkdtempSync(join(tmpdir(), 'pin-images-'));
  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/:[\w.-]*\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
});

it('writes what tags stand for now, and new tags', () => {
  const pin = project(`echo ${DIGEST}`);
  expect(pin('redis:9.0.1').status).toBe(0);
  const images = [...imagesOf(read())].sort();
  expect(images).toEqual([
    expect.stringMatching(`^node:24\\.[\\w.-]+@${DIGEST}$`),
    expect.stringMatching(`^postgres:18\\.[\\w.-]+@${DIGEST}$`),
    `redis:9.0.1@${DIGEST}`,
  ]);
});

it('changes nothing when a digest is not known, or an image is not named', () => {
  const pin = project(`case "$*" in *redis*) exit 1 ;; esac; echo ${DIGEST}`);
  const before = read();
  expect(String(pin().stderr)).toMatch(/neither docker nor skopeo tells the digest of redis:/);
  expect(String(pin('mysql:9.1.0').stderr)).toMatch(/no file names mysql/);
  expect(read()).toEqual(before);
});
