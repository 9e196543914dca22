import { join, resolve } from 'node:path';

export const ROOT = join(__dirname, '../..');

export type Labels = Record<string, string>;

interface EnvironmentEntry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
}

export interface Probe {
  httpGet?: { path: string; port: string | number };
  exec?: { command: string[] };
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  command?: string[];
  env?: EnvironmentEntry[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop?: { exec?: { command: string[] } } };
  resources?: { requests?: Labels; limits?: Labels };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    runAsNonRoot?: boolean;
    privileged?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface PodSpec {
  initContainers?: Container[];
  containers: Container[];
  volumes?: {
    name: string;
    configMap?: { name: string };
    secret?: { secretName: string };
    persistentVolumeClaim?: { claimName: string };
  }[];
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  hostNetwork?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: {
    runAsNonRoot?: boolean;
    runAsUser?: number;
    seccompProfile?: { type: string };
  };
  topologySpreadConstraints?: { labelSelector: Selector }[];
}

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Labels;
  spec?: unknown;
}

export interface Workload extends Manifest {
  spec: {
    replicas?: number;
    selector?: Selector;
    template: { metadata: { labels: Labels }; spec: PodSpec };
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}

const { render } = require('../render.cjs') as { render: (folder: string) => Manifest[] };

export const OVERLAYS = [
  'overlays/single-node',
  'overlays/production',
  'test/overlays/gateway',
  'test/overlays/nginx',
];

export const rendered = (folder: string): Manifest[] => render(resolve(ROOT, 'k8s', folder));

const POD_KINDS = ['Deployment', 'StatefulSet', 'Job', 'DaemonSet'];

export const workloads = (manifests: Manifest[]): Workload[] =>
  manifests.flatMap((one) => {
    if (one.kind === 'CronJob') {
      const { jobTemplate } = one.spec as { jobTemplate: Pick<Workload, 'spec'> };
      return [{ ...one, spec: jobTemplate.spec }];
    }
    return POD_KINDS.includes(one.kind) ? [one as Workload] : [];
  });

export const containers = ({ initContainers = [], containers: main }: PodSpec): Container[] => [
  ...initContainers,
  ...main,
];

export const ours = (manifests: Manifest[]): Workload[] =>
  workloads(manifests).filter(({ spec }) =>
    spec.template.spec.containers.every(({ image }) => /(^|\/)switchyard-/.test(image)),
  );

export const deployment = (manifests: Manifest[], name: string) =>
  ours(manifests).find(
    (one) => one.kind === 'Deployment' && one.metadata.name === name,
  ) as Workload;

export const main = (manifests: Manifest[], name: string) =>
  deployment(manifests, name).spec.template.spec.containers[0] as Container;
