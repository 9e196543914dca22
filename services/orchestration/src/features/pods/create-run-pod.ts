import { setTimeout as delay } from 'node:timers/promises';
import {
  type Cluster,
  ClusterAway,
  ClusterRefused,
  isRefusedWith,
  type KubernetesObject,
} from '../../adapters/kubernetes/cluster';
import {
  type PlacedClaim,
  type PodTemplate,
  type RunPod,
  runPodOf,
  TICKET_ANNOTATION,
  ticketSecretOf,
} from '../../adapters/kubernetes/run-pod';

export interface PodOrder {
  template: PodTemplate;
  claim: PlacedClaim;
  instance: string;
  ticket: string;
  ticketDigest: string;
  deadlineSec: number;
}

/**
 * Creates the pod, then its ticket as a Secret that the pod owns, so that a crash in between leaves
 * no orphaned Secret.
 * @throws ClusterRefused, ClusterAway; the pod may then exist, but its ticket becomes void when the
 * claim is released
 */
export async function createRunPod(cluster: Cluster, order: PodOrder): Promise<void> {
  const wanted = runPodOf(order.template, order.claim, order);
  const pod = await create(cluster, 'pods', wanted, (there) => isOurs(there, wanted));
  const secret = ticketSecretOf(pod, order.ticket);
  try {
    await create(cluster, 'secrets', secret, () => true);
  } catch (error) {
    await cluster.remove('pods', pod, 0).catch(() => undefined);
    throw error;
  }
}

const isOurs = (there: KubernetesObject, wanted: RunPod) =>
  !there.metadata.deletionTimestamp &&
  there.metadata.annotations?.[TICKET_ANNOTATION] ===
    wanted.metadata.annotations?.[TICKET_ANNOTATION];

const TRIES = 3;
const PAUSE_MS = 200;

/**
 * Retries after a lost response. An existing object counts as ours only if `accepts` returns true.
 */
async function create<T extends KubernetesObject>(
  cluster: Cluster,
  kind: 'pods' | 'secrets',
  wanted: T,
  accepts: (there: KubernetesObject) => boolean,
): Promise<KubernetesObject> {
  for (let tries = 1; ; tries++) {
    try {
      return await cluster.create(kind, wanted);
    } catch (error) {
      if (error instanceof ClusterAway && tries < TRIES) {
        await delay(PAUSE_MS * tries);
      } else if (isRefusedWith(error, 409) && error.reason === 'AlreadyExists') {
        return present(cluster, { kind, wanted, accepts, wasTried: tries > 1, error });
      } else throw error;
    }
  }
}

async function present<T extends KubernetesObject>(
  cluster: Cluster,
  found: {
    kind: 'pods' | 'secrets';
    wanted: T;
    accepts: (there: KubernetesObject) => boolean;
    wasTried: boolean;
    error: ClusterRefused;
  },
): Promise<KubernetesObject> {
  const { kind, wanted, accepts, wasTried, error } = found;
  // A worker may not read Secrets, so it cannot check an existing one. Accepts it only after a
  // retry, because the first attempt then created it.
  if (kind === 'secrets') {
    if (wasTried) return wanted;
    throw error;
  }
  const there = await cluster.get(kind, wanted.metadata.name);
  if (accepts(there)) return there;
  await cluster.remove(kind, there, 0);
  throw error;
}

/**
 * Quotas and an overloaded API server are temporary faults, so they are not reported immediately.
 */
export const isPassing = (error: unknown): boolean =>
  error instanceof ClusterAway ||
  (error instanceof ClusterRefused &&
    (error.status === 429 ||
      error.status === 409 ||
      error.status === 401 ||
      (error.status === 403 && /exceeded quota/.test(error.message))));
