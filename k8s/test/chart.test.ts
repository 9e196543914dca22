import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { type Manifest, ROOT, rendered } from './manifest';
import { schemaFindings } from './schema-rules';

interface Case {
  values: string[];
  overlay?: string;
}

const CHART = join(ROOT, 'k8s/chart');
const read = (...parts: string[]) => readFileSync(join(CHART, ...parts), 'utf8');

/** What Helm adds, and what kustomize adds: a checksum of settings there, their hash in the name here. */
function comparable(manifest: Manifest, release: string): unknown {
  const copy = structuredClone(manifest) as unknown as {
    metadata: Annotated;
    spec?: {
      template?: { metadata?: Annotated };
      jobTemplate?: { spec: { template: { metadata?: Annotated } } };
    };
  };
  const { template, jobTemplate } = copy.spec ?? {};
  for (const one of [copy.metadata, template?.metadata, jobTemplate?.spec.template.metadata]) {
    if (one?.labels) delete one.labels['app.kubernetes.io/managed-by'];
    if (one?.annotations) delete one.annotations['checksum/settings'];
    for (const field of ['labels', 'annotations'] as const) {
      if (one?.[field] && Object.keys(one[field]).length === 0) delete one[field];
    }
  }
  return JSON.parse(
    JSON.stringify(copy)
      .replace(/"(switchyard-(?:settings|runner|metrics))-[a-z0-9]{10}"/g, '"$1"')
      .replaceAll(release, 'of-the-release'),
  );
}

interface Annotated {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

function byName(manifests: Manifest[], release: string): Record<string, unknown> {
  const comparables = manifests.map((one) => comparable(one, release) as Manifest);
  return Object.fromEntries(comparables.map((one) => [keyOf(one), one]));
}

describe('the Helm chart', () => {
  const printed = (file: string) =>
    JSON.parse(
      execFileSync(process.execPath, [join(ROOT, file)], { encoding: 'utf8', maxBuffer: 1e8 }),
    );
  const files: Record<string, string> = printed('k8s/chart-files.mjs');
  const { cases, digest }: { cases: Record<string, Case>; digest: string } = printed(
    'k8s/rehearse/chart/cases.mjs',
  );

  const renderedCase = (name: string) =>
    readFileSync(join(ROOT, 'k8s/test/chart', `${name}.yaml`), 'utf8');
  const objectsOf = (name: string) =>
    parseAllDocuments(renderedCase(name)).map((document) => document.toJS() as Manifest);

  it('is made of the manifests of the kustomization (npm run docs)', () => {
    expect(readdirSync(join(CHART, 'files')).sort()).toEqual(Object.keys(files).sort());
    for (const [name, text] of Object.entries(files)) expect(read('files', name)).toBe(text);
  });

  it('was rendered as it is now (npm run rehearse -- chart --write)', () => {
    for (const name of Object.keys(cases))
      expect(renderedCase(name)).toContain(`# chart ${digest}`);
  });

  it('renders what the overlays are', () => {
    const release = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')).appVersion as string;
    for (const [name, { overlay }] of Object.entries(cases)) {
      if (overlay === undefined) continue;
      const wanted = rendered(`overlays/${overlay}`).filter(({ kind }) => kind !== 'Namespace');
      expect(byName(objectsOf(name), release)).toEqual(byName(wanted, release));
    }
  });

  it('renders what Kubernetes takes', () => {
    for (const name of Object.keys(cases)) expect(schemaFindings(objectsOf(name))).toEqual([]);
  });

  it('has hooks only where they are chosen', () => {
    const hooked = (name: string) =>
      objectsOf(name)
        .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
        .map(keyOf);
    expect(hooked('production')).toEqual([]);
    expect(hooked('observed')).toEqual([
      'Job switchyard-migrate-metrics-vof-the-release',
      'Job switchyard-migrate-orchestration-vof-the-release',
      'ServiceAccount switchyard-migrate-metrics',
      'ServiceAccount switchyard-migrate-orchestration',
    ]);
  });

  it('replaces pods when a setting changes', () => {
    const sums = new Map(
      ['single-node', 'production'].map((name) => {
        const api = objectsOf(name).find((one) => keyOf(one) === 'Deployment switchyard-api');
        const { annotations } = (api as unknown as { spec: { template: { metadata: Annotated } } })
          .spec.template.metadata;
        return [name, annotations?.['checksum/settings']];
      }),
    );
    expect(sums.get('production')).toMatch(/^[0-9a-f]{64}$/);
    expect(sums.get('production')).not.toBe(sums.get('single-node'));
  });
});
