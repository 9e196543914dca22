import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Manifest, OVERLAYS, ROOT, rendered, type Workload, workloads } from './manifest';

const K8S = join(ROOT, 'k8s');
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const byName = (manifests: Manifest[]) =>
  Object.fromEntries(manifests.map((one) => [keyOf(one), one]));

describe('a changed copy of an overlay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-k8s-'));
  for (const part of ['base', 'components', 'overlays', 'test/overlays']) {
    cpSync(join(K8S, part), join(folder, part), { recursive: true });
  }
  afterAll(() => rmSync(folder, { recursive: true }));

  function changed(overlay: string, file: string, from: string, to: string): Manifest[] {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replaceAll(from, to));
    const manifests = rendered(join(folder, overlay));
    writeFileSync(path, text);
    return manifests;
  }

  const RELEASE = 'components/release/kustomization.yaml';

  it.each(OVERLAYS)('keeps the immutable fields of %s when the release changes', (overlay) => {
    const before = byName(rendered(overlay));
    const after = changed(overlay, RELEASE, VERSION, '0.2.0-rc.1');
    const refused = after.filter((one) => {
      const old = before[keyOf(one)];
      return old && JSON.stringify(immutable(old)) !== JSON.stringify(immutable(one));
    });
    expect(refused.map(keyOf)).toEqual([]);
    const jobs = after.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
    expect(jobs).toEqual(['migrate-orchestration-v0.2.0-rc.1', 'migrate-metrics-v0.2.0-rc.1']);
  });

  it('appends the image tag to the names of migration Jobs, even if the tag is a commit hash', () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const after = changed('overlays/production', RELEASE, VERSION, commit);
    const jobs = after.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
    expect(jobs).toHaveLength(2);
    for (const name of jobs) expect(name).toMatch(new RegExp(`^.{1,23}${commit}$`));
  });

  it('sets the tag of all images in one place', () => {
    const after = changed('overlays/production', RELEASE, VERSION, '0.2.0');
    const images = workloads(after).flatMap(({ spec }) => [
      ...(spec.template.spec.initContainers ?? []),
      ...spec.template.spec.containers,
    ]);
    expect(new Set(images.map(({ image }) => image))).toEqual(
      new Set(
        ['orchestration', 'runner', 'metrics'].map(
          (name) => `images.example.com/switchyard-${name}:0.2.0`,
        ),
      ),
    );
  });

  it('sets the image tag of run pods in one place', () => {
    const overlay = 'overlays/run-pods';
    const file = `${overlay}/kustomization.yaml`;
    const template = changed(overlay, file, `newTag: ${VERSION}`, 'newTag: 0.2.0').find(
      ({ kind }) => kind === 'PodTemplate',
    ) as unknown as Workload['spec'];
    expect(template.template.spec.containers.map(({ image }) => image)).toEqual([
      'images.example.com/switchyard-runner:0.2.0',
    ]);
  });

  it('replaces only the pods that read a changed setting, and takes the Ingress host from PUBLIC_URL', () => {
    const from = 'https://switchyard.example.com';
    const file = 'overlays/single-node/kustomization.yaml';
    const after = changed('overlays/single-node', file, from, 'https://board.example.org');
    const templates = (manifests: Manifest[]) =>
      Object.fromEntries(
        workloads(manifests).map(({ metadata, spec }) => [
          metadata.name,
          JSON.stringify(spec.template),
        ]),
      );
    const [one, other] = [templates(rendered('overlays/single-node')), templates(after)];
    const rolled = Object.keys(one).filter((name) => one[name] !== other[name]);
    expect(rolled.sort()).toEqual(['switchyard-api', 'switchyard-backup', 'switchyard-worker']);
    const ingress = after.find(({ kind }) => kind === 'Ingress')?.spec as {
      tls: { hosts: string[] }[];
      rules: { host: string }[];
    };
    expect([ingress.tls[0]?.hosts[0], ingress.rules[0]?.host]).toEqual([
      'board.example.org',
      'board.example.org',
    ]);
  });

  it.each([
    ['overlays/single-node', 'overlays/single-node'],
    ['test/overlays/nginx', 'base/orchestration'],
    ['test/overlays/gateway', 'base/orchestration'],
  ])(
    'omits the port of PUBLIC_URL from the host of the Ingress or HTTPRoute (%s)',
    (overlay, folder) => {
      const from = 'https://switchyard.example.com';
      const file = `${folder}/kustomization.yaml`;
      const after = changed(overlay, file, from, 'https://board.example.org:8443');
      const way = after.filter(({ kind }) => /^(Ingress|HTTPRoute)$/.test(kind));
      expect(JSON.stringify(way)).toContain('"board.example.org"');
      expect(JSON.stringify(way)).not.toContain('8443');
    },
  );

  it('allows process agents to run node if the patch from docs/kubernetes.md is applied', () => {
    const page = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
    const [, patch = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const patches = `patches:\n${patch.replace(/^/gm, '  ').trimEnd()}\n`;
    const file = 'overlays/single-node/kustomization.yaml';
    const maps = changed('overlays/single-node', file, 'patches:\n', patches).filter(
      ({ kind, data }) => kind === 'ConfigMap' && Object(data).PROCESS_ADAPTER_COMMANDS === 'node',
    );
    const names = maps.map(({ metadata }) => metadata.name.replace(/-[^-]*$/, ''));
    expect(names.sort()).toEqual(['switchyard-runner', 'switchyard-settings']);
  });

  it('omits the metrics service if the line ../../base/metrics is removed', () => {
    for (const overlay of ['overlays/single-node', 'overlays/production']) {
      const file = `${overlay}/kustomization.yaml`;
      const after = changed(overlay, file, '  - ../../base/metrics\n', '');
      const left = workloads(after).filter(({ metadata }) => /metrics/.test(metadata.name));
      expect(left).toEqual([]);
    }
  });
});

/**
 * Fields that the API server refuses to change, by kind:
 * https://kubernetes.io/docs/concepts/workloads/
 */
function immutable({ kind, spec }: Manifest): unknown {
  const {
    template,
    selector,
    serviceName,
    volumeClaimTemplates,
    clusterIP,
    accessModes,
    storageClassName,
  } = (spec ?? {}) as Record<string, unknown>;
  if (kind === 'Job') return { selector, template };
  if (kind === 'StatefulSet') return { selector, serviceName, volumeClaimTemplates };
  if (kind === 'Deployment') return { selector };
  if (kind === 'Service') return { clusterIP };
  if (kind === 'PersistentVolumeClaim') return { accessModes, storageClassName };
  return {};
}
