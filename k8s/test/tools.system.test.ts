import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { deployment, type Manifest, OVERLAYS, ROOT, rendered } from './manifest';
import { schemaFindings } from './schema-rules';
import { findTool } from './tools';

const CHART = join(ROOT, 'k8s/chart');

const keyOf = ({ kind, metadata }: Manifest & { metadata: { namespace?: string } }) =>
  `${kind} ${metadata.namespace} ${metadata.name}`;
const byName = (manifests: Manifest[]) =>
  Object.fromEntries(manifests.map((one) => [keyOf(one), one]));

function printed(tool: 'helm' | 'kubectl', ...args: string[]): Manifest[] {
  const text = execFileSync(findTool(tool), args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: 'pipe',
  });
  return parseAllDocuments(text).flatMap((one) => (one.toJS() as Manifest | null) ?? []);
}

describe('kubectl kustomize', () => {
  it.each([...OVERLAYS, 'test/overlays/run-pods'])('renders %s like render.cjs', (folder) => {
    const manifests = printed('kubectl', 'kustomize', join(ROOT, 'k8s', folder));
    expect(byName(rendered(folder))).toEqual(byName(manifests));
  });
});

const templated = (files: string[], ...options: string[]) =>
  printed(
    'helm',
    ...['template', 'switchyard', CHART, '--namespace', 'switchyard', ...options],
    ...files.flatMap((name) => ['--values', join(CHART, 'values', `${name}.yaml`)]),
  );

const ADDED = ['app.kubernetes.io/managed-by', 'helm.sh/chart', 'checksum/settings'];

const comparable = (manifests: Manifest[]) =>
  byName(
    JSON.parse(JSON.stringify(manifests), (key, value) => {
      if (ADDED.includes(key)) return undefined;
      if (/^(labels|annotations)$/.test(key) && Object.keys(value).length === 0) return undefined;
      if (typeof value !== 'string') return value;
      return value.replace(/^(switchyard-(?:settings|runner|metrics|backup))-[a-z0-9]{10}$/, '$1');
    }),
  );

const OWN =
  'publicUrl=https://switchyard.example.com,settings.S3_BUCKET=switchyard-files,settings.S3_REGION=eu-central-1,networkPolicies.postgresql={10.20.0.0/16},networkPolicies.redis={10.20.0.0/16}';
const GATEWAY =
  'ingress=gateway,autoscaling=keda,prometheus.enabled=true,prometheus.runbookUrl=https://switchyard.example.com/docs/runbook.md,runner.userNamespaces=true,networkPolicies.dns=node-local,networkPolicies.otlp=true,networkPolicies.identity=eks,networkPolicies.bucket=false';
const NGINX =
  'ingress=ingress-nginx,autoscaling=hpa,prometheus.enabled=true,prometheus.runbookUrl=https://switchyard.example.com/docs/runbook.md,backup.target=s3://switchyard-backups/nightly,networkPolicies.dns=openshift,networkPolicies.identity=gke';

describe('helm template', () => {
  it.each([
    ['overlays/single-node', ['single-node'], []],
    ['overlays/production', ['production'], []],
    ['test/overlays/gateway', [], ['--set', OWN, '--set', GATEWAY]],
    ['test/overlays/nginx', [], ['--set', OWN, '--set', NGINX]],
    [
      'test/overlays/run-pods',
      ['production', 'run-pods'],
      ['--set', 'runPods.agentVolume=true,replicas.runner=2'],
    ],
  ])('renders %s like render.cjs', (overlay, files, options) => {
    const isCompared = ({ kind }: Manifest) => kind !== 'Namespace';
    const made = templated(files, ...options).filter(isCompared);
    expect(comparable(made)).toEqual(comparable(rendered(overlay).filter(isCompared)));
  });

  it.each(readdirSync(join(CHART, 'values')))('renders valid manifests with %s', (file) => {
    const files = ['production', file.replace('.yaml', '')];
    expect(schemaFindings(templated(files, '--set', 'datastores.enabled=false'))).toEqual([]);
  });

  it('turns migrations into hooks only if the values request hooks', () => {
    const hooks = (...files: string[]) =>
      templated(files)
        .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
        .map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/-v\d.*/, '')}`);
    expect(hooks('production')).toEqual([]);
    expect(hooks('production', 'hooks').sort()).toEqual([
      'Job migrate-metrics',
      'Job migrate-orchestration',
      'ServiceAccount switchyard-migrate-metrics',
      'ServiceAccount switchyard-migrate-orchestration',
    ]);
  });

  it('replaces the pods that read a changed setting', () => {
    const sums = ['info', 'debug'].map((level) => {
      const all = templated(['production'], '--set', `settings.LOG_LEVEL=${level}`);
      const { template } = deployment(all, 'switchyard-api').spec;
      return (template.metadata as Manifest['metadata']).annotations?.['checksum/settings'];
    });
    expect(sums[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(sums[1]).not.toBe(sums[0]);
  });

  it('links every alert to the runbook at the URL in the values', () => {
    const on = ['--set', 'prometheus.enabled=true'];
    expect(() => templated(['production'], ...on)).toThrow(/prometheus.runbookUrl/);
    const runbook = 'https://wiki.example.org/runbook';
    const all = templated(['production'], ...on, '--set', `prometheus.runbookUrl=${runbook}`);
    const rules = all.filter(({ kind }) => kind === 'PrometheusRule');
    const links = JSON.stringify(rules).match(/"runbook_url":"[^"]+"/g) ?? [];
    expect(links.length).toBeGreaterThan(20);
    const others = links.filter((link) => !link.startsWith(`"runbook_url":"${runbook}#`));
    expect(others).toEqual([]);
  });

  it('limits Job names to 63 characters, whatever the tag', () => {
    const tag = 'main-0123456789abcdef0123456789abcdef01234567';
    const jobsOf = (of: string) =>
      templated(['production'], '--set', `image.tag=${of}`)
        .filter(({ kind }) => kind === 'Job')
        .map(({ metadata }) => metadata.name);
    for (const name of jobsOf(tag)) expect(name).toMatch(/^[a-z0-9.-]{30,63}$/);
    expect(jobsOf(tag)).not.toEqual(jobsOf(`${tag.slice(0, -1)}8`));
  });

  it('excludes the port of publicUrl from the host', () => {
    const url = 'https://board.example.org:8443';
    const all = templated(['production'], '--set', `publicUrl=${url}`);
    const ingress = JSON.stringify(all.filter(({ kind }) => kind === 'Ingress'));
    expect(ingress).toContain('"board.example.org"');
    expect(ingress).not.toContain('8443');
    expect(JSON.stringify(all.filter(({ kind }) => kind === 'ConfigMap'))).toContain(url);
  });

  it.each(['postgresql', 'redis'])('refuses network policies that block %s', (server) => {
    const none = `networkPolicies.${server}=null`;
    expect(() => templated(['production'], '--set', none)).toThrow(`networkPolicies.${server}`);
    const own = `extraObjects[0].kind=NetworkPolicy,extraObjects[0].apiVersion=networking.k8s.io/v1,extraObjects[0].metadata.name=own`;
    expect(templated(['production'], '--set', none, '--set', own).length).toBeGreaterThan(10);
  });

  it('rejects a setting that the chart does not define', () => {
    expect(() => templated(['production'], '--set', 'replica.api=3')).toThrow(/replica/);
  });
});

it.each([[], ['--values', join(CHART, 'values/production.yaml')]])(
  'the chart passes helm lint with %p',
  (...options) => {
    execFileSync(findTool('helm'), ['lint', '--strict', CHART, ...options], { stdio: 'pipe' });
  },
);
