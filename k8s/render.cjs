// Prints the same as `kubectl kustomize <folder>`, because most tests run without kubectl. Supports
// only what these manifests use; tools.system.test.ts compares both outputs. Usage: node
// k8s/render.cjs <folder below k8s>

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { applyPatch } = require('rfc6902');
const { parse, parseAllDocuments, stringify } = require('yaml');

const UNSCOPED = ['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'CustomResourceDefinition'];

const hashed = new WeakSet();

const podSpecOf = ({ spec, template }) =>
  (spec?.jobTemplate?.spec ?? spec ?? { template })?.template?.spec;

const containersOf = (pod) => [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];

function selected(manifests, { kind, name }) {
  const names = new RegExp(`^(?:${name})$`);
  return manifests.filter((one) => one.kind === kind && names.test(one.metadata.name));
}

/**
 * Ignores a patch without a matching manifest, as kustomize does, because its target may be in a
 * component that was not chosen.
 */
function patchAll(manifests, { target, patch }) {
  for (const manifest of selected(manifests, target)) {
    const problem = applyPatch(manifest, parse(patch)).find((outcome) => outcome !== null);
    if (problem)
      throw new Error(`a patch cannot be applied to ${manifest.metadata.name}: ${problem.message}`);
  }
}

function generate(manifests, folder, generator) {
  const { name, behavior, literals = [], files = [], options = {} } = generator;
  const pairOf = (text) => /^([^=]+)=(.*)$/s.exec(text).slice(1);
  const read = ([key, file]) => [key, readFileSync(path.join(folder, file), 'utf8')];
  const data = Object.fromEntries([
    ...literals.map(pairOf),
    ...files.map((text) => read(pairOf(text))),
  ]);
  if (behavior === 'merge')
    return void Object.assign(selected(manifests, { kind: 'ConfigMap', name })[0].data, data);
  const { labels, disableNameSuffixHash } = options;
  const metadata = { name, ...(labels && { labels }) };
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  if (!disableNameSuffixHash) hashed.add(made);
  manifests.push(made);
}

function nameImages(manifests, images) {
  for (const container of manifests.flatMap((one) => containersOf(podSpecOf(one)))) {
    for (const { name, newName = name, newTag } of images) {
      if (container.image !== name && !container.image.startsWith(`${name}:`)) continue;
      const tag = container.image.slice(name.length);
      container.image = `${newName}${newTag === undefined ? tag : `:${newTag}`}`;
    }
  }
}

function locate(manifest, fieldPath) {
  const keys = fieldPath.split('.');
  const last = keys.pop();
  const owner = keys.reduce((at, key) => at?.[key], manifest);
  if (owner?.[last] === undefined) throw new Error(`${manifest.metadata.name}: no ${fieldPath}`);
  return { owner, last };
}

function replace(manifests, { source, targets }) {
  const { owner, last } = locate(selected(manifests, source)[0], source.fieldPath);
  const { delimiter, index } = source.options ?? {};
  const value = delimiter ? owner[last].split(delimiter)[index] : owner[last];
  for (const { select, fieldPaths, options } of targets) {
    for (const manifest of selected(manifests, select)) {
      for (const place of fieldPaths.map((one) => locate(manifest, one))) {
        const parts = options ? place.owner[place.last].split(options.delimiter) : [];
        if (options) parts[options.index] = value;
        place.owner[place.last] = options ? parts.join(options.delimiter) : value;
      }
    }
  }
}

function moveTo(namespace, manifests) {
  for (const manifest of manifests) {
    if (manifest.kind === 'Namespace') manifest.metadata.name = namespace;
    if (!UNSCOPED.includes(manifest.kind)) manifest.metadata.namespace = namespace;
    for (const subject of manifest.subjects ?? []) subject.namespace ??= namespace;
  }
}

/**
 * Returns kustomize's hash of the content as JSON. Escapes HTML characters, as Go does. Replaces
 * some digits of the hash, so that it contains no words.
 */
function hashOf({ kind, data }) {
  const sorted = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
  const json = JSON.stringify({ data: sorted, kind, name: '' }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const digits = createHash('sha256').update(json).digest('hex').slice(0, 10);
  const letters = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
  return digits.replace(/[013ae]/g, (digit) => letters[digit]);
}

function referencesOf(pod) {
  const containers = containersOf(pod);
  return [
    ...containers.flatMap(({ envFrom = [] }) => envFrom.map((one) => one.configMapRef)),
    ...containers.flatMap(({ env = [] }) => env.map((one) => one.valueFrom?.configMapKeyRef)),
    ...(pod?.volumes ?? []).map((one) => one.configMap),
  ].filter((one) => one !== undefined);
}

function appendHashes(manifests) {
  const references = manifests.flatMap((one) => referencesOf(podSpecOf(one)));
  for (const manifest of manifests.filter((one) => hashed.has(one))) {
    const { name } = manifest.metadata;
    manifest.metadata.name = `${name}-${hashOf(manifest)}`;
    for (const one of references) if (one.name === name) one.name = manifest.metadata.name;
  }
}

function accumulate(folder, manifests) {
  const own = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8'));
  for (const resource of own.resources ?? []) {
    const file = path.join(folder, resource);
    if (!/\.ya?ml$/.test(file)) manifests.push(...accumulate(file, []));
    else
      for (const one of parseAllDocuments(readFileSync(file, 'utf8'))) manifests.push(one.toJS());
  }
  for (const generator of own.configMapGenerator ?? []) generate(manifests, folder, generator);
  for (const component of own.components ?? []) accumulate(path.join(folder, component), manifests);
  for (const patch of own.patches ?? []) patchAll(manifests, patch);
  if (own.namespace) moveTo(own.namespace, manifests);
  nameImages(manifests, own.images ?? []);
  for (const replacement of own.replacements ?? []) replace(manifests, replacement);
  return manifests;
}

function render(folder) {
  const manifests = accumulate(folder, []);
  appendHashes(manifests);
  return manifests;
}

exports.containersOf = containersOf;
exports.podSpecOf = podSpecOf;
exports.render = render;

if (require.main === module) {
  const manifests = render(path.join(__dirname, process.argv[2]));
  process.stdout.write(manifests.map((manifest) => stringify(manifest)).join('---\n'));
}
