// What `kubectl kustomize <folder>` prints, for the part of kustomize that these manifests use, where there is no
// kubectl. Usage: node k8s/render.mjs <folder below k8s> [--json]

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { applyPatch } from 'rfc6902';
import { parse, parseAllDocuments, stringify } from 'yaml';

const KNOWN = ['apiVersion', 'kind', 'namespace', 'resources', 'images', 'patches'];
const UNSCOPED = ['Namespace'];

function load(file) {
  if (!/\.ya?ml$/.test(file)) return render(file);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0].message}`);
    return document.toJS();
  });
}

function patchAll(manifests, { target, patch }) {
  const name = new RegExp(`^(?:${target.name})$`);
  const meant = manifests.filter((one) => one.kind === target.kind && name.test(one.metadata.name));
  if (meant.length === 0) throw new Error(`a patch is for ${target.kind} ${target.name}: none`);
  for (const manifest of meant) {
    const problem = applyPatch(manifest, parse(patch)).find((outcome) => outcome !== null);
    if (problem)
      throw new Error(`a patch does not fit ${manifest.metadata.name}: ${problem.message}`);
  }
}

export const podSpecOf = (manifest) => manifest.spec?.template?.spec;

export const containersOf = (pod) => [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];

function nameImages(manifests, images) {
  for (const container of manifests.flatMap((one) => containersOf(podSpecOf(one)))) {
    const image = images.find(({ name }) => name === container.image);
    if (image) container.image = `${image.newName ?? image.name}:${image.newTag}`;
  }
}

/** The manifests of a folder with a kustomization. @throws Error for what this does not know of kustomize */
export function render(folder) {
  const own = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8'));
  const unknown = Object.keys(own).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not read here`);
  const manifests = own.resources.flatMap((resource) => load(path.join(folder, resource)));
  for (const patch of own.patches ?? []) patchAll(manifests, patch);
  nameImages(manifests, own.images ?? []);
  for (const manifest of manifests) {
    if (own.namespace && !UNSCOPED.includes(manifest.kind))
      manifest.metadata.namespace = own.namespace;
  }
  return manifests;
}

if (import.meta.filename === process.argv[1]) {
  const [folder, form] = process.argv.slice(2);
  const manifests = render(path.join(import.meta.dirname, folder));
  const text = manifests.map((manifest) => stringify(manifest)).join('---\n');
  process.stdout.write(form === '--json' ? JSON.stringify(manifests) : text);
}
