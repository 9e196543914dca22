import { readConfig } from '../../services/orchestration/src/config';
import { type Manifest, main, rendered } from './manifest';
import { environmentOf } from './settings-rules';

interface Namespaced extends Manifest {
  metadata: Manifest['metadata'] & { namespace?: string };
}

const RUNS = 'switchyard-runs';
const OWN = 'switchyard';
const all = rendered('test/overlays/run-pods') as Namespaced[];
const ofKind = <Shape>(kind: string, namespace: string) =>
  all.filter((one) => one.kind === kind && one.metadata.namespace === namespace) as (Namespaced &
    Shape)[];

describe('manifests of run pods', () => {
  const { pods } = readConfig(environmentOf(all, main(all, 'switchyard-worker')), 'worker');

  it('contain the namespace RUN_POD_NAMESPACE with the template of run pods', () => {
    expect(pods?.cluster.namespace).toBe(RUNS);
    expect(ofKind('PodTemplate', RUNS).map(({ metadata }) => metadata.name)).toEqual([
      pods?.template,
    ]);
    expect(ofKind('Namespace', '')).toEqual([]);
    const names = all
      .filter(({ kind }) => kind === 'Namespace')
      .map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual([OWN, RUNS]);
  });

  it('start runs with the labels in RUNNER_LABELS, and none without RUN_POD_NAMESPACE', () => {
    const worker = environmentOf(all, main(all, 'switchyard-worker'));
    const podsWith = (more: object) => readConfig({ ...worker, ...more }, 'worker').pods;
    expect(podsWith({ RUNNER_LABELS: 'gpu, linux' })?.labels).toEqual(['gpu', 'linux']);
    expect(podsWith({ RUN_POD_NAMESPACE: '' })).toBeNull();
  });

  it('give the worker rights only in the namespace of run pods', () => {
    const isRole = ({ kind }: Manifest) => /Role$/.test(kind);
    const isBinding = ({ kind }: Manifest) => /RoleBinding$/.test(kind);
    const places = (which: (one: Manifest) => boolean) =>
      all.filter(which).map(({ kind, metadata }) => [kind, metadata.namespace]);
    expect(places(isRole)).toEqual([['Role', RUNS]]);
    expect(places(isBinding)).toEqual([['RoleBinding', RUNS]]);
    const [binding] = ofKind<{ subjects: object[] }>('RoleBinding', RUNS);
    expect(binding?.subjects).toEqual([
      { kind: 'ServiceAccount', name: 'switchyard-worker', namespace: OWN },
    ]);
  });

  it('keep Secrets, accounts and processes of the platform in another namespace', () => {
    const kinds = new Set(
      all.filter(({ metadata }) => metadata.namespace === RUNS).map(({ kind }) => kind),
    );
    expect([...kinds].sort()).toEqual([
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodTemplate',
      'ResourceQuota',
      'Role',
      'RoleBinding',
    ]);
  });

  it('set a quota for RUN_POD_LIMIT pods', () => {
    const [quota] = ofKind<{ spec: { hard: Record<string, string> } }>('ResourceQuota', RUNS);
    expect(Number(quota?.spec.hard.pods)).toBeGreaterThanOrEqual(pods?.limit ?? 0);
    expect(Object.keys(quota?.spec.hard ?? {})).toEqual(
      expect.arrayContaining(['requests.cpu', 'requests.memory', 'limits.memory']),
    );
  });

  it('address the worker and the API by host names that include their namespace', () => {
    const [template] = ofKind<{ template: { spec: { containers: { env: object[] }[] } } }>(
      'PodTemplate',
      RUNS,
    );
    expect(template?.template.spec.containers[0]?.env).toContainEqual({
      name: 'RUNNER_URL',
      value: `http://switchyard-worker.${OWN}:3101`,
    });
    const api = readConfig(environmentOf(all, main(all, 'switchyard-api')));
    expect(api.agentApiUrl).toBe(`http://switchyard-api.${OWN}:3102`);
  });

  it('deny all traffic by default, and never allow ingress', () => {
    const policies = ofKind<{ spec: Record<string, unknown> }>('NetworkPolicy', RUNS);
    const specOf = (name: string) => policies.find(({ metadata }) => metadata.name === name)?.spec;
    expect(specOf('default-deny')).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    for (const { spec } of policies) expect(spec).not.toHaveProperty('ingress');
    const peer = (namespace: string, name: string) => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      podSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
    });
    expect(specOf('switchyard-run')?.egress).toEqual(
      expect.arrayContaining([
        { to: [peer(OWN, 'switchyard-worker')], ports: [{ port: 3101 }] },
        { to: [peer(OWN, 'switchyard-api')], ports: [{ port: 3102 }] },
      ]),
    );
    const own = ofKind<{ spec: { ingress?: unknown } }>('NetworkPolicy', OWN);
    for (const [name, port] of [
      ['worker', 3101],
      ['api', 3102],
    ]) {
      const policy = own.find(({ metadata }) => metadata.name === `switchyard-${name}-from-runs`);
      expect(policy?.spec.ingress).toEqual([
        { from: [peer(RUNS, 'switchyard-run')], ports: [{ port }] },
      ]);
    }
  });
});
