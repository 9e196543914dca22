// What `kubectl kustomize <folder>` prints, for the part of kustomize that these manifests use, where there is no
// kubectl; a test compares the two where there is one. Usage: node k8s/render.mjs <folder below k8s> [--json]

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { applyPatch } from 'rfc6902';
import { parse, parseAllDocuments, stringify } from 'yaml';

const KNOWN = [
  'apiVersion',
  'kind',
  'namespace',
  'resources',
  'components',
  'configMapGenerator',
  'images',
  'patches',
  'replacements',
];
const UNSCOPED = ['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'CustomResourceDefinition'];

/** Generated ConfigMaps whose names are to get a hash, until `render` gives it to them. */
const hashed = new WeakSet();

/** Of Deployments and Jobs, of CronJobs, and of a PodTemplate, whose own field it is. */
export const podSpecOf = ({ spec, template }) =>
  (spec?.jobTemplate?.spec ?? spec ?? { template })?.template?.spec;

export const containersOf = (pod) => [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];

function selected(manifests, { kind, name, ...others }) {
  if (Object.keys(others).length > 0) throw new Error('objects are chosen by kind and name here');
  const names = new RegExp(`^(?:${name})$`);
  return manifests.filter((one) => one.kind === kind && names.test(one.metadata.name));
}

/** As in kustomize a patch that nothing fits is none: what it is for may not have been chosen. */
function patchAll(manifests, { target, patch }) {
  for (const manifest of selected(manifests, target)) {
    const problem = applyPatch(manifest, parse(patch)).find((outcome) => outcome !== null);
    if (problem)
      throw new Error(`a patch does not fit ${manifest.metadata.name}: ${problem.message}`);
  }
}

function pairOf(text) {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text);
  return [key, value];
}

/** The data of a ConfigMap that a kustomization of `folder` generates; files are named from there. */
export function generatedData(folder, { literals = [], files = [] }) {
  const read = ([key, file]) => [key, readFileSync(path.join(folder, file), 'utf8')];
  return Object.fromEntries([...literals.map(pairOf), ...files.map((text) => read(pairOf(text)))]);
}

function generate(manifests, folder, generator) {
  const { name, behavior = 'create', options = {} } = generator;
  const data = generatedData(folder, generator);
  const known = manifests.find((one) => one.kind === 'ConfigMap' && one.metadata.name === name);
  if (Boolean(known) !== (behavior === 'merge'))
    throw new Error(`${folder}: to ${behavior} ConfigMap ${name} is not possible`);
  if (known) return void Object.assign(known.data, data);
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
      const [tag = ''] = container.image.slice(name.length).split('@');
      container.image = `${newName}${newTag === undefined ? tag : `:${newTag}`}`;
    }
  }
}

/** The object that holds a field, and the field's name in it; list entries go by number. */
function locate(manifest, fieldPath) {
  const keys = fieldPath.split('.');
  const last = keys.pop();
  const owner = keys.reduce((at, key) => at?.[key], manifest);
  if (owner?.[last] === undefined) throw new Error(`${manifest.metadata.name}: no ${fieldPath}`);
  return { owner, last };
}

function replace(manifests, { source, targets }) {
  const { fieldPath, options, ...meant } = source;
  const [from, ...more] = selected(manifests, meant);
  if (!from || more.length > 0) throw new Error(`a replacement has no source ${meant.name}`);
  const { owner, last } = locate(from, fieldPath);
  const value = options ? owner[last].split(options.delimiter)[options.index] : owner[last];
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
    for (const subject of manifest.subjects ?? []) {
      const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
      if (accounts.some(({ metadata }) => metadata.name === subject.name))
        subject.namespace = namespace;
    }
  }
}

/** kustomize's own hash: of the content as Go's JSON, which escapes for HTML, in letters that make no words. */
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

function load(file) {
  if (!/\.ya?ml$/.test(file)) return accumulate(file, []);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0].message}`);
    return document.toJS();
  });
}

/** `manifests` with those of a folder, changed as it says, in the order of kustomize. */
function accumulate(folder, manifests) {
  const own = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8'));
  const unknown = Object.keys(own).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not read here`);
  for (const resource of own.resources ?? []) {
    for (const manifest of load(path.join(folder, resource))) {
      const { kind, metadata } = manifest;
      const twin = manifests.find(
        (one) => one.kind === kind && one.metadata.name === metadata.name,
      );
      if (twin) throw new Error(`${folder}: a second ${kind} ${metadata.name}`);
      manifests.push(manifest);
    }
  }
  for (const generator of own.configMapGenerator ?? []) generate(manifests, folder, generator);
  for (const component of own.components ?? []) accumulate(path.join(folder, component), manifests);
  for (const patch of own.patches ?? []) patchAll(manifests, patch);
  if (own.namespace) moveTo(own.namespace, manifests);
  nameImages(manifests, own.images ?? []);
  for (const replacement of own.replacements ?? []) replace(manifests, replacement);
  return manifests;
}

/** The manifests of a folder with a kustomization. @throws Error for what this does not know of kustomize */
export function render(folder) {
  const manifests = accumulate(folder, []);
  appendHashes(manifests);
  return manifests;
}

if (import.meta.filename === process.argv[1]) {
  const [folder, form] = process.argv.slice(2);
  const manifests = render(path.join(import.meta.dirname, folder));
  const text = manifests.map((manifest) => stringify(manifest)).join('---\n');
  process.stdout.write(form === '--json' ? JSON.stringify(manifests) : text);
}
