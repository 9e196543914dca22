// Renders the chart's cases with `helm` (HELM_COMMAND), or where there is none with a renderer made of Helm's template engine
// (Debian: golang-go, golang-github-masterminds-sprig-dev, golang-k8s-sigs-yaml-dev), and compares them with those in
// k8s/test/chart, by which `npm test` compares the chart with the overlays. `--write` keeps what it rendered.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { CASES, CHART, digestOfChart, RELEASE, RENDERED } from './cases.mjs';

const scratch = mkdtempSync(path.join(tmpdir(), 'switchyard-chart-'));

function isThere(command, args) {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function buildRenderer() {
  const renderer = path.join(scratch, 'render');
  const source = path.join(import.meta.dirname, 'render.go');
  // Debian's packages are found by path, without modules.
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' };
  execFileSync('go', ['build', '-o', renderer, source], { env, stdio: 'inherit' });
  return renderer;
}

function chooseRenderer() {
  const helm = process.env.HELM_COMMAND ?? 'helm';
  if (isThere(helm, ['version'])) {
    return { name: helm, command: [helm, 'template'], files: (file) => ['--values', file] };
  }
  if (!isThere('go', ['version']))
    throw new Error('neither helm nor go is here: install one of them');
  return { name: "Helm's engine", command: [buildRenderer()], files: (file) => ['-f', file] };
}

function render({ command: [program, ...first], files }, values) {
  const chosen = values.flatMap((name) => files(path.join(CHART, 'values', `${name}.yaml`)));
  const release = ['--set', `image.tag=${RELEASE}`];
  const args = [...first, '--namespace', 'switchyard', ...chosen, ...release, 'switchyard', CHART];
  const text = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 });
  const objects = parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);
  for (const { metadata } of objects) delete metadata.labels['helm.sh/chart'];
  const keyOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;
  return objects.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function main(isWriting) {
  const renderer = chooseRenderer();
  mkdirSync(RENDERED, { recursive: true });
  const digest = digestOfChart();
  let isSame = true;
  for (const [name, { values }] of Object.entries(CASES)) {
    const objects = render(renderer, values);
    const text = `# Written by npm run rehearse -- chart --write\n# chart ${digest}\n${objects
      .map((object) => stringify(object, { sortMapEntries: true, aliasDuplicateObjects: false }))
      .join('---\n')}`;
    const file = path.join(RENDERED, `${name}.yaml`);
    if (isWriting) writeFileSync(file, text);
    const isKept = isWriting || readFileSync(file, 'utf8') === text;
    isSame &&= isKept;
    const note = isKept ? '' : ', not what is kept';
    process.stdout.write(`${name}: ${objects.length} objects by ${renderer.name}${note}\n`);
  }
  return isSame ? 0 : 1;
}

try {
  process.exitCode = main(process.argv.includes('--write'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
