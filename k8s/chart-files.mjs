// The parts of the kustomization as data for the Helm chart, so that a manifest is written once: each base and component
// becomes k8s/chart/files/<name>.json, which the chart's template reads. `npm run docs` writes them.
// Usage: node k8s/chart-files.mjs (prints them as JSON: name → content)

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { generatedData } from './render.mjs';

const READ = ['apiVersion', 'kind', 'resources', 'configMapGenerator', 'patches', 'replacements'];

/** What overlays or the chart's own template do instead: the namespace is Helm's, the release is in its values. */
const NOT_PARTS = ['base/namespace', 'components/release'];

function configMapOf(folder, generator) {
  const { name, behavior = 'create', options = {} } = generator;
  const data = generatedData(folder, generator);
  return { name, isNew: behavior === 'create', labels: options.labels ?? {}, data };
}

/** The one replacement of components: the host of PUBLIC_URL. */
function hostFieldsOf(folder, replacements) {
  return replacements.flatMap(({ source, targets }) => {
    if (source.fieldPath !== 'data.PUBLIC_URL')
      throw new Error(`${folder}: the chart replaces nothing but the host of PUBLIC_URL`);
    return targets.flatMap(({ select, fieldPaths }) =>
      fieldPaths.map((field) => ({ ...select, path: `/${field.replaceAll('.', '/')}` })),
    );
  });
}

function partOf(folder) {
  const own = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8'));
  const unknown = Object.keys(own).filter((key) => !READ.includes(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not in the chart`);
  const { resources = [], configMapGenerator = [], patches = [], replacements = [] } = own;
  return {
    resources: resources.flatMap((file) =>
      parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((one) => one.toJS()),
    ),
    configMaps: configMapGenerator.map((one) => configMapOf(folder, one)),
    patches: patches.map(({ target, patch }) => ({ ...target, operations: parse(patch) })),
    hosts: hostFieldsOf(folder, replacements),
  };
}

function foldersBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name === 'kustomization.yaml')
    .map(({ parentPath }) => parentPath);
}

/** File name → content of every file below k8s/chart/files, of the manifests in `root` (k8s). */
export function chartFiles(root) {
  const folders = ['base', 'components'].flatMap((name) => foldersBelow(path.join(root, name)));
  const parts = folders
    .map((folder) => path.relative(root, folder))
    .filter((folder) => !NOT_PARTS.includes(folder))
    .sort();
  return Object.fromEntries(
    parts.map((folder) => [
      `${folder.replace(/^(base|components)\//, '').replaceAll('/', '.')}.json`,
      `${JSON.stringify(partOf(path.join(root, folder)), null, 2)}\n`,
    ]),
  );
}

if (import.meta.filename === process.argv[1]) {
  process.stdout.write(JSON.stringify(chartFiles(import.meta.dirname)));
}
