import { readRunnerSettings } from '../../packages/runner/src/runner-settings';
import { mountProbes } from '../../packages/server/src/health';
import * as metrics from '../../services/metrics/src/config';
import * as orchestration from '../../services/orchestration/src/config';
import { ENVIRONMENT_NAMES } from '../../services/orchestration/src/settings/environment';
import { deployment, type Manifest, main, OVERLAYS, rendered } from './manifest';
import { mayCall, mayReachAddress, networkFindings } from './network-rules';
import { podRuleFindings } from './pod-rules';
import { type Listens, migrationFindings, processFindings } from './process-rules';
import { schemaFindings } from './schema-rules';
import { selectorFindings } from './selector-rules';
import { environmentOf, settingsFindings } from './settings-rules';

const manifestsOf = Object.fromEntries(OVERLAYS.map((folder) => [folder, rendered(folder)]));
const everything = Object.values(manifestsOf).flat();

const USING_THE_BUCKET = ['api', 'worker', 'backup'];
const IDENTITIES: Record<string, string[]> = {
  'test/overlays/gateway': ['169.254.170.23', 'fd00:ec2::23'],
  'test/overlays/nginx': ['169.254.169.252', '169.254.169.254'],
};

const KNOWN = {
  orchestration: ENVIRONMENT_NAMES,
  metrics: metrics.ENVIRONMENT_NAMES,
};

function listens(manifests: Manifest[]): Record<string, Listens> {
  const of = (name: string) => environmentOf(manifests, main(manifests, name));
  const api = orchestration.readConfig(of('switchyard-api'));
  const read: (variables: ReturnType<typeof of>, process: 'worker') => orchestration.Config =
    orchestration.readConfig;
  const worker = read(of('switchyard-worker'), 'worker');
  const { port } = metrics.readConfig(of('switchyard-metrics'));
  return {
    'switchyard-api': { probes: api.apiPort, others: [api.apiMetricsPort, api.network.agentPort] },
    'switchyard-worker': { probes: worker.workerPort, others: [] },
    'switchyard-runner': { probes: readRunnerSettings(of('switchyard-runner')).port, others: [] },
    'switchyard-metrics': { probes: port, others: [] },
  };
}

const RULES: Record<string, (manifests: Manifest[]) => string[]> = {
  schema: schemaFindings,
  pods: podRuleFindings,
  processes: (manifests) => processFindings(manifests, listens(manifests)),
  migrations: (manifests) => migrationFindings(manifests, ['orchestration', 'metrics']),
  selectors: (manifests) => selectorFindings(manifests, everything),
  network: (manifests) => networkFindings(manifests),
  settings: (manifests) => settingsFindings(manifests, KNOWN),
};

describe.each(OVERLAYS)('%s', (folder) => {
  it.each(Object.keys(RULES))('complies with the rules for %s', (rule) => {
    const manifests = manifestsOf[folder] as Manifest[];
    const addresses = IDENTITIES[folder];
    const found =
      rule === 'network' && addresses
        ? networkFindings(manifests, { addresses, components: USING_THE_BUCKET })
        : RULES[rule]?.(manifests);
    expect(found).toEqual([]);
  });

  it('allows only network connections that a service needs', () => {
    const manifests = manifestsOf[folder] as Manifest[];
    const labels = (name: string) => deployment(manifests, name).spec.template.metadata.labels;
    const [api, worker, runner, service] = ['api', 'worker', 'runner', 'metrics'].map((name) =>
      labels(`switchyard-${name}`),
    ) as [Labels, Labels, Labels, Labels];
    const { agentApiUrl } = orchestration.readConfig(
      environmentOf(manifests, main(manifests, 'switchyard-api')),
    );
    expect(agentApiUrl).toBe('http://switchyard-api:3102');
    expect(mayCall(manifests, runner, api, 3102)).toBe(true);
    expect(mayCall(manifests, runner, worker, 3101)).toBe(true);
    expect(mayCall(manifests, runner, api, 3100)).toBe(false);
    expect(mayCall(manifests, runner, api, 9464)).toBe(false);
    expect(mayCall(manifests, runner, service, 3200)).toBe(false);
    expect(mayCall(manifests, worker, runner, 3103)).toBe(false);
    expect(mayReachAddress(manifests, runner, '93.184.216.34')).toBe(true);
    expect(mayReachAddress(manifests, runner, '2606:2800:220:1::1')).toBe(true);
    expect(mayCall(manifests, worker, api, 3102)).toBe(false);
    expect(mayCall(manifests, worker, api, 3100)).toBe(false);
    expect(mayCall(manifests, service, api, 3102)).toBe(false);
    expect(mayCall(manifests, worker, api, 9464)).toBe(false);
    expect(mayCall(manifests, worker, service, 3200)).toBe(false);
    expect(mayCall(manifests, service, api, 3100)).toBe(false);
    expect(mayCall(manifests, api, worker, 3101)).toBe(false);
    expect(mayReachAddress(manifests, worker, '93.184.216.34')).toBe(true);
    expect(mayReachAddress(manifests, worker, '2606:2800:220:1::1')).toBe(true);
  });

  it('stores attachments in a bucket or on a volume that all replicas share', () => {
    const manifests = manifestsOf[folder] as Manifest[];
    for (const process of ['api', 'worker'] as const) {
      const name = `switchyard-${process}`;
      const variables = environmentOf(manifests, main(manifests, name));
      const { files } = orchestration.readConfig(variables, process);
      const volumes = deployment(manifests, name).spec.template.spec.volumes ?? [];
      const mount = main(manifests, name).volumeMounts?.find(
        (one) => one.mountPath === '/data/files',
      );
      const volume = volumes.find((one) => one.name === mount?.name);
      if (files.kind === 's3') expect(mount).toBeUndefined();
      else {
        expect(files.folder).toBe('/data/files');
        expect(volume?.persistentVolumeClaim?.claimName).toBe('switchyard-files');
      }
    }
  });
});

type Labels = Record<string, string>;

it('the processes serve exactly the paths /livez and /readyz for probes', () => {
  const paths: string[] = [];
  const application = { get: (path: string) => paths.push(path) };
  mountProbes(application as never, { required: {}, isStopping: () => false });
  expect(paths.sort()).toEqual(['/livez', '/readyz']);
});
