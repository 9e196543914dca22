import type { KubernetesObject } from './cluster';

type Json = Record<string, unknown>;
interface Container extends Json {
  name: string;
  env?: Json[];
  volumeMounts?: Json[];
  securityContext?: Json;
}
interface PodSpec extends Json {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Json[];
  securityContext?: Json;
}

export interface PodTemplate extends KubernetesObject {
  template: {
    metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
    spec: PodSpec;
  };
}

export interface RunPod extends KubernetesObject {
  spec: PodSpec;
}

export interface PlacedClaim {
  id: string;
  epoch: number;
  companyId: string;
  agentId: string;
}

const RUN_LABEL = 'switchyard.dev/run';
const EPOCH_LABEL = 'switchyard.dev/epoch';
/** Digest of the ticket. It shows whether an existing pod was created for the same ticket. */
export const TICKET_ANNOTATION = 'switchyard.dev/ticket-digest';
const RUNNER = 'runner';
const TICKET_FOLDER = '/var/run/switchyard';
const TICKET_VOLUME = 'switchyard-ticket';
const USER = 10_001;

export const podNameOf = ({ id, epoch }: Pick<PlacedClaim, 'id' | 'epoch'>) => `run-${id}-${epoch}`;

export const podSelector = (instance: string) =>
  `app.kubernetes.io/managed-by=switchyard,app.kubernetes.io/instance=${instance}`;

export function claimOfPod({ metadata: { labels = {} } }: KubernetesObject) {
  const { [RUN_LABEL]: id, [EPOCH_LABEL]: epoch } = labels;
  return id && epoch ? { id, epoch: Number(epoch) } : null;
}

/**
 * Takes image, resources, volumes and nodes from the template. Always sets the isolation itself,
 * regardless of the template.
 * @throws Error for a template without a container called `runner`
 */
export function runPodOf(
  template: PodTemplate,
  claim: PlacedClaim,
  made: { instance: string; ticketDigest: string; deadlineSec: number },
): RunPod {
  const { metadata = {}, spec } = template.template;
  if (!spec.containers.some(({ name }) => name === RUNNER)) {
    throw new Error(`the PodTemplate ${template.metadata.name} has no container called ${RUNNER}`);
  }
  const { hostNetwork: _network, hostPID: _pids, hostIPC: _ipc, ...rest } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podNameOf(claim),
      labels: {
        ...metadata.labels,
        'app.kubernetes.io/name': 'switchyard-run',
        'app.kubernetes.io/component': 'run',
        'app.kubernetes.io/part-of': 'switchyard',
        'app.kubernetes.io/managed-by': 'switchyard',
        'app.kubernetes.io/instance': made.instance,
        [RUN_LABEL]: claim.id,
        [EPOCH_LABEL]: String(claim.epoch),
        'switchyard.dev/company': claim.companyId,
        'switchyard.dev/agent': claim.agentId,
      },
      annotations: { ...metadata.annotations, [TICKET_ANNOTATION]: made.ticketDigest },
      ownerReferences: [ownerOf(template, 'PodTemplate', { controller: true })],
    },
    spec: {
      ...rest,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      activeDeadlineSeconds: made.deadlineSec,
      securityContext: {
        ...spec.securityContext,
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(spec.initContainers && { initContainers: spec.initContainers.map(confined) }),
      containers: spec.containers.map((container) =>
        container.name === RUNNER ? withTicket(confined(container)) : confined(container),
      ),
      volumes: [...(spec.volumes ?? []), ticketVolume(podNameOf(claim))],
    },
  };
}

const confined = (container: Container): Container => ({
  ...container,
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
  },
});

const withTicket = (container: Container): Container => ({
  ...container,
  env: [
    ...(container.env ?? []).filter(({ name }) => name !== 'RUNNER_TICKET_FILE'),
    { name: 'RUNNER_TICKET_FILE', value: `${TICKET_FOLDER}/ticket` },
  ],
  volumeMounts: [
    ...(container.volumeMounts ?? []),
    { name: TICKET_VOLUME, mountPath: TICKET_FOLDER, readOnly: true },
  ],
});

const ticketVolume = (secretName: string) => ({
  name: TICKET_VOLUME,
  secret: { secretName, defaultMode: 0o440 },
});

const ownerOf = ({ metadata: { name, uid } }: KubernetesObject, kind: string, more: object) => ({
  apiVersion: 'v1',
  kind,
  name,
  uid,
  ...more,
});

/**
 * The pod waits for its Secret. The Secret is created after the pod, and is removed with the pod.
 */
export const ticketSecretOf = (pod: KubernetesObject, ticket: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: pod.metadata.name,
    labels: pod.metadata.labels ?? {},
    ownerReferences: [ownerOf(pod, 'Pod', {})],
  },
  type: 'Opaque',
  immutable: true,
  stringData: { ticket },
});
