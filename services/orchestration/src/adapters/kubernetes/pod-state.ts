import type { KubernetesObject } from './cluster';

interface ContainerState {
  waiting?: { reason?: string; message?: string };
  terminated?: { reason?: string; message?: string; exitCode?: number };
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
  initContainerStatuses?: { name: string; state?: ContainerState }[];
  containerStatuses?: { name: string; state?: ContainerState }[];
}

export type PodWithStatus = KubernetesObject & { status?: PodStatus };

export interface PodState {
  stage: 'pending' | 'running' | 'over';
  isHopeless: boolean;
  reason: string;
  /** True if the cause may be the run or its agent's configuration instead of the cluster. */
  isFault: boolean;
  isTimeout: boolean;
}

const HOPELESS = ['InvalidImageName', 'ErrImageNeverPull'];
/** Matches the kubelet's message for a pod that exceeded its storage limit, not for a full node. */
const OWN_DISK =
  /ephemeral local storage usage exceeds|exceeds the limit|exceeded its local ephemeral/i;

export function podStateOf({ status = {} }: Pick<PodWithStatus, 'status'>): PodState {
  const { phase } = status;
  if (phase === 'Succeeded' || phase === 'Failed') return stateOfEnded(status);
  const waiting = waitingOf(status);
  if (phase === 'Running' && !waiting) {
    return { stage: 'running', isHopeless: false, reason: '', isFault: true, isTimeout: false };
  }
  const unscheduled = status.conditions?.find(
    (one) => one.type === 'PodScheduled' && one.status === 'False',
  );
  const said = waiting ?? unscheduled;
  return {
    stage: 'pending',
    isHopeless: HOPELESS.includes(waiting?.reason ?? ''),
    reason: worded(said?.reason ?? 'Pending', said?.message),
    isFault: unscheduled === undefined,
    isTimeout: false,
  };
}

function stateOfEnded({ phase, reason, message, conditions, ...status }: PodStatus): PodState {
  const ended = containersOf(status)
    .map(({ state }) => state?.terminated)
    .find((one) => one && one.exitCode !== 0);
  const disrupted = conditions?.find(
    (one) => one.type === 'DisruptionTarget' && one.status === 'True',
  );
  const word = reason ?? ended?.reason ?? disrupted?.reason ?? phase ?? '';
  const text = message ?? ended?.message ?? disrupted?.message;
  const code = ended?.exitCode === undefined ? '' : ` (exit code ${ended.exitCode})`;
  const isOwn = reason === 'Evicted' && OWN_DISK.test(message ?? '');
  const isOfCluster =
    disrupted !== undefined || (reason !== undefined && reason !== 'DeadlineExceeded');
  return {
    stage: 'over',
    isHopeless: false,
    reason: worded(`${word}${code}`, text),
    isFault: isOwn || !isOfCluster,
    isTimeout: reason === 'DeadlineExceeded',
  };
}

const containersOf = (status: Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses'>) => [
  ...(status.initContainerStatuses ?? []),
  ...(status.containerStatuses ?? []),
];

const waitingOf = (status: PodStatus) =>
  containersOf(status).find(({ state }) => state?.waiting)?.state?.waiting;

const MAX_MESSAGE_CHARS = 500;

/**
 * Removes NUL and unpaired surrogates, which PostgreSQL cannot store. The pod may control the
 * message.
 */
const worded = (reason: string, message: string | undefined) =>
  (message ? `${reason}: ${message.slice(0, MAX_MESSAGE_CHARS)}` : reason)
    .replaceAll('\0', '\ufffd')
    .toWellFormed();
