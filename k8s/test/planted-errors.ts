import { deployment, type Manifest, main, ours } from './manifest';

const api = (manifests: Manifest[]) => main(manifests, 'switchyard-api');
const pod = (manifests: Manifest[], name = 'switchyard-api') =>
  deployment(manifests, name).spec.template.spec;
const find = (manifests: Manifest[], kind: string, name: string) =>
  // A ConfigMap's name ends with the hash of its content.
  manifests.find(
    (one) =>
      one.kind === kind &&
      (kind === 'ConfigMap'
        ? one.metadata.name.startsWith(`${name}-`)
        : one.metadata.name === name),
  ) as Manifest & {
    // biome-ignore lint/suspicious/noExplicitAny: planted errors go where types would stop them
    spec: any;
    // biome-ignore lint/suspicious/noExplicitAny: likewise
    data: any;
  };
const drop = (manifests: Manifest[], kind: string, name: string) => {
  manifests.splice(manifests.indexOf(find(manifests, kind, name)), 1);
};
/** What is planted, the rules that find it, how it is planted, what they say. */
export const PLANTED_ERRORS: [string, string, (manifests: Manifest[]) => void, RegExp][] = [
  [
    'a misspelled probe',
    'schema',
    (all) => Object.assign(api(all), { readynessProbe: {} }),
    /readynessProbe is unknown/,
  ],
  [
    'a number as text',
    'schema',
    (all) => Object.assign(pod(all), { terminationGracePeriodSeconds: '45' }),
    /must be integer/,
  ],
  [
    'a version that is gone',
    'schema',
    (all) =>
      Object.assign(find(all, 'HorizontalPodAutoscaler', 'switchyard-api'), {
        apiVersion: 'autoscaling/v3',
      }),
    /no schema/,
  ],
  [
    'a misspelled field of KEDA',
    'schema',
    (all) => Object.assign(find(all, 'ScaledObject', 'switchyard-runner').spec, { maxReplicas: 3 }),
    /maxReplicas is unknown/,
  ],
  [
    'a misspelled field of a monitor',
    'schema',
    (all) =>
      Object.assign(find(all, 'ServiceMonitor', 'switchyard-api').spec.endpoints[0], {
        pth: '/',
      }),
    /pth is unknown/,
  ],
  [
    'no account of its own',
    'pods',
    (all) => delete pod(all).serviceAccountName,
    /no service account/,
  ],
  [
    'an account that is nowhere',
    'selectors',
    (all) => drop(all, 'ServiceAccount', 'switchyard-api'),
    /is nobody/,
  ],
  [
    'a pod monitor of no port',
    'selectors',
    (all) =>
      Object.assign(find(all, 'PodMonitor', 'switchyard-worker').spec.podMetricsEndpoints[0], {
        port: 'metrics',
      }),
    /scrapes no port/,
  ],
  [
    'a route to no port',
    'selectors',
    (all) =>
      Object.assign(find(all, 'HTTPRoute', 'switchyard').spec.rules[0].backendRefs[0], {
        port: 80,
      }),
    /leads to no switchyard-api:80/,
  ],
  [
    'a writable root',
    'pods',
    (all) => Object.assign(api(all).securityContext as object, { readOnlyRootFilesystem: false }),
    /readOnlyRootFilesystem/,
  ],
  [
    'root',
    'pods',
    (all) => Object.assign(pod(all).securityContext as object, { runAsUser: 0 }),
    /names no user/,
  ],
  [
    'a capability',
    'pods',
    (all) =>
      Object.assign(api(all).securityContext as object, {
        capabilities: { drop: ['ALL'], add: ['NET_RAW'] },
      }),
    /adds capabilities/,
  ],
  [
    'a secret in the clear',
    'pods',
    (all) => api(all).env?.push({ name: 'SESSION_SECRET', value: 'x' }),
    /SESSION_SECRET is a literal/,
  ],
  ['no limit of memory', 'pods', (all) => delete api(all).resources?.limits, /no limit of memory/],
  [
    'a mount without a volume',
    'pods',
    (all) => api(all).volumeMounts?.push({ name: 'cache', mountPath: '/cache' }),
    /mounts cache/,
  ],
  [
    'a token of the cluster',
    'pods',
    (all) => delete pod(all).automountServiceAccountToken,
    /token of the cluster/,
  ],
  [
    'variables named after services',
    'pods',
    (all) => delete pod(all).enableServiceLinks,
    /named after services/,
  ],
  [
    'the tag latest',
    'pods',
    (all) => Object.assign(api(all), { image: 'switchyard-orchestration:latest' }),
    /whichever/,
  ],
  [
    'another port in the settings',
    'processes',
    (all) =>
      Object.assign(find(all, 'ConfigMap', 'switchyard-settings').data, {
        API_PORT: '3105',
      }),
    /asks port 3100, not 3105/,
  ],
  [
    'a port that nothing listens on',
    'processes',
    (all) => api(all).ports?.push({ name: 'debug', containerPort: 9229 }),
    /listens on/,
  ],
  [
    'a liveness probe that asks the database',
    'processes',
    (all) => Object.assign(api(all).livenessProbe?.httpGet as object, { path: '/readyz' }),
    /livenessProbe asks \/readyz/,
  ],
  ['no startup probe', 'processes', (all) => delete api(all).startupProbe, /has no startupProbe/],
  ['no pause before SIGTERM', 'processes', (all) => delete api(all).lifecycle, /still sends/],
  [
    'a grace shorter than the drain',
    'processes',
    (all) => Object.assign(pod(all, 'switchyard-worker'), { terminationGracePeriodSeconds: 60 }),
    /killed after 60 s/,
  ],
  ['no wait for the schema', 'processes', (all) => delete pod(all).initContainers, /does not wait/],
  [
    'a wait for the schema of the other',
    'processes',
    (all) => pod(all).initContainers?.[0]?.args?.splice(2, 1, 'metrics'),
    /does not wait/,
  ],
  [
    'a command that is not built',
    'processes',
    (all) => Object.assign(api(all), { args: ['node', 'dist/bin/server.js'] }),
    /nothing here is built/,
  ],
  [
    'a Job with the name of another release',
    'migrations',
    (all) =>
      Object.assign(ours(all).find((one) => one.kind === 'Job')?.metadata as object, {
        name: 'switchyard-migrate-orchestration-v0.0.1',
      }),
    /is not named after its release/,
  ],
  [
    'a Service of nobody',
    'selectors',
    (all) =>
      Object.assign(find(all, 'Service', 'switchyard-api').spec, {
        selector: { 'app.kubernetes.io/name': 'api' },
      }),
    /Service switchyard-api selects no pod/,
  ],
  [
    'a Service to no port',
    'selectors',
    (all) =>
      Object.assign(find(all, 'Service', 'switchyard-api').spec.ports[0], { targetPort: 'web' }),
    /no port web/,
  ],
  [
    'a budget of nobody',
    'selectors',
    (all) =>
      Object.assign(find(all, 'PodDisruptionBudget', 'switchyard-worker').spec.selector, {
        matchLabels: { app: 'x' },
      }),
    /selects no pod/,
  ],
  [
    'a policy of nobody',
    'selectors',
    (all) =>
      Object.assign(find(all, 'NetworkPolicy', 'switchyard-worker').spec.podSelector, {
        matchLabels: { app: 'x' },
      }),
    /selects no pod/,
  ],
  [
    'a monitor of no port',
    'selectors',
    (all) =>
      Object.assign(find(all, 'ServiceMonitor', 'switchyard-api').spec.endpoints[0], {
        port: 'prometheus',
      }),
    /scrapes no port/,
  ],
  [
    'a scaler of nothing',
    'selectors',
    (all) =>
      Object.assign(find(all, 'ScaledObject', 'switchyard-runner').spec.scaleTargetRef, {
        name: 'worker',
      }),
    /scales no worker/,
  ],
  [
    'a number that two own',
    'selectors',
    (all) => Object.assign(deployment(all, 'switchyard-worker').spec, { replicas: 2 }),
    /shares the number/,
  ],
  [
    'an ingress to nowhere',
    'selectors',
    (all) => drop(all, 'Service', 'switchyard-api'),
    /leads to no/,
  ],
  [
    'a selector of another',
    'selectors',
    (all) =>
      Object.assign(deployment(all, 'switchyard-api').spec, {
        selector: { matchLabels: { 'app.kubernetes.io/name': 'switchyard-worker' } },
      }),
    /does not select its own/,
  ],
  [
    'no default',
    'network',
    (all) => drop(all, 'NetworkPolicy', 'default-deny'),
    /denied by default/,
  ],
  [
    'the metadata address',
    'network',
    (all) =>
      find(all, 'NetworkPolicy', 'switchyard-worker').spec.egress[0].to[0].ipBlock.except.splice(
        5,
        1,
      ),
    /worker may reach 169.254.169.254/,
  ],
  [
    'a rule for everybody',
    'network',
    (all) =>
      find(all, 'NetworkPolicy', 'switchyard-api').spec.ingress.push({ ports: [{ port: 3100 }] }),
    /for everybody/,
  ],
  [
    'a setting that nothing reads',
    'settings',
    (all) =>
      Object.assign(find(all, 'ConfigMap', 'switchyard-settings').data, {
        WORKER_CONCURENCY: '4',
      }),
    /WORKER_CONCURENCY/,
  ],
  [
    'a value that is refused',
    'settings',
    (all) =>
      Object.assign(find(all, 'ConfigMap', 'switchyard-settings').data, {
        PUBLIC_URL: 'switchyard.example.com',
      }),
    /PUBLIC_URL/,
  ],
  [
    'local mode in a cluster',
    'settings',
    (all) =>
      Object.assign(find(all, 'ConfigMap', 'switchyard-settings').data, {
        AUTH_MODE: 'local_trusted',
      }),
    /HOST/,
  ],
  ['a secret that is not given', 'settings', (all) => api(all).env?.splice(4, 1), /is missing/],
];
