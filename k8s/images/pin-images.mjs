// Looks up what the tags of others' images stand for now, and writes their digests. Needs docker or skopeo.
// Usage: node k8s/images/pin-images.mjs [<name>:<new tag> …]

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PLACES = ['services/metrics', 'services/orchestration', 'k8s/components/datastores'];
const FILES = PLACES.flatMap((place) =>
  readdirSync(path.join(ROOT, place)).map((name) => path.join(ROOT, place, name)),
)
  .filter((file) => /(Dockerfile|\.yaml)$/.test(file))
  .concat(path.join(ROOT, 'docker-compose.yml'));

const PINNED = /\b([a-z][a-z0-9-]*):([\w.-]+)@sha256:[0-9a-f]{64}/g;

/** Of the list of all platforms, not of this machine's. */
const toolsFor = (image) => [
  ['docker', 'buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image],
  [
    'skopeo',
    'inspect',
    '--no-tags',
    '--format',
    '{{.Digest}}',
    `docker://docker.io/library/${image}`,
  ],
];

function digestOf(image) {
  for (const [command, ...args] of toolsFor(image)) {
    const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
    const digest = /^sha256:[0-9a-f]{64}$/m.exec(stdout ?? '')?.[0];
    if (status === 0 && digest) return digest;
  }
  throw new Error(`neither docker nor skopeo tells the digest of ${image}`);
}

const wanted = new Map(process.argv.slice(2).map((image) => image.split(':')));
const texts = new Map(FILES.map((file) => [file, readFileSync(file, 'utf8')]));
const images = new Map(
  [...texts.values()].flatMap((text) =>
    [...text.matchAll(PINNED)].map(([, name, tag]) => [name, tag]),
  ),
);
const unknown = [...wanted.keys()].filter((name) => !images.has(name));
if (unknown.length > 0) throw new Error(`no file names ${unknown.join(', ')}`);
const pinned = new Map();
for (const [name, tag] of images) {
  const image = `${name}:${wanted.get(name) ?? tag}`;
  pinned.set(name, `${image}@${digestOf(image)}`);
}
// All are known before one is written.
for (const [file, text] of texts) {
  const changed = text.replace(PINNED, (_, name) => pinned.get(name));
  if (changed !== text) writeFileSync(file, changed);
}
process.stdout.write(`${[...pinned.values()].join('\n')}\n`);
