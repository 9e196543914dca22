import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { requestText, type TextResponse } from '@switchyard/runner/network/request-text';
import { parseRetryAfter } from '@switchyard/server/retry-after';

export class ClusterRefused extends Error {
  override readonly name = 'ClusterRefused';
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly againAfterMs: number | null,
  ) {
    super(message);
  }
}

/** The server did not reply, so it may have executed the request. */
export class ClusterAway extends Error {
  override readonly name = 'ClusterAway';
}

export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    uid?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
    ownerReferences?: unknown[];
  };
}

export interface Cluster {
  get<T extends KubernetesObject>(kind: Kind, name: string): Promise<T>;
  list<T extends KubernetesObject>(kind: Kind, labelSelector: string): Promise<T[]>;
  create<T extends KubernetesObject>(kind: Kind, object: T): Promise<T>;
  /** Does nothing if the object was removed, or replaced by another object of the same name. */
  remove(kind: Kind, object: KubernetesObject, graceSec: number): Promise<void>;
  close(): void;
}

type Kind = 'pods' | 'podtemplates' | 'secrets';

const TIMEOUT_MS = 10_000;
const PAGE = 500;

/**
 * Connects over HTTPS with the token and certificate of a service account. Reads both for each
 * request, because the token changes every hour. A client library would add sixteen packages for
 * these five calls.
 */
export function openCluster({
  url,
  credentials,
  namespace,
}: {
  url: string;
  credentials: string;
  namespace: string;
}): Cluster {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const file = async (name: string) => (await readFile(join(credentials, name), 'utf8')).trim();

  const exchange = async (method: string, path: string, body?: object): Promise<unknown> => {
    const [token, ca] = await Promise.all([file('token'), file('ca.crt')]);
    const content = body && Buffer.from(JSON.stringify(body));
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json',
      ...(content && { 'Content-Type': 'application/json', 'Content-Length': content.length }),
    };
    const target = new URL(`/api/v1/namespaces/${encodeURIComponent(namespace)}/${path}`, url);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { method, agent, ca, headers, signal };
    const response = await requestText(target, options, content).catch((error: Error) => {
      throw new ClusterAway(error.message);
    });
    return readResponse(response);
  };
  const named = (kind: Kind, name: string) => `${kind}/${encodeURIComponent(name)}`;

  return {
    get: async <T>(kind: Kind, name: string) => (await exchange('GET', named(kind, name))) as T,
    list: async <T>(kind: Kind, labelSelector: string) => {
      const all: T[] = [];
      let next: string | undefined;
      do {
        const query = new URLSearchParams({ labelSelector, limit: String(PAGE) });
        if (next) query.set('continue', next);
        const page = (await exchange('GET', `${kind}?${query}`)) as {
          items: T[];
          metadata?: { continue?: string };
        };
        all.push(...page.items);
        next = page.metadata?.continue;
      } while (next);
      return all;
    },
    create: async <T extends KubernetesObject>(kind: Kind, object: T) =>
      (await exchange('POST', kind, object)) as T,
    remove: async (kind, { metadata: { name, uid } }, gracePeriodSeconds) => {
      const preconditions = uid ? { preconditions: { uid } } : {};
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds };
      try {
        await exchange('DELETE', named(kind, name), { ...options, ...preconditions });
      } catch (error) {
        if (!isRefusedWith(error, 404) && !isRefusedWith(error, 409)) throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

export const isRefusedWith = (error: unknown, status: number): error is ClusterRefused =>
  error instanceof ClusterRefused && error.status === status;

function readResponse({ status, headers, text }: TextResponse): unknown {
  if (status >= 500) throw new ClusterAway(`the Kubernetes API server responded with ${status}`);
  let body: { reason?: unknown; message?: unknown };
  try {
    body = JSON.parse(text);
  } catch {
    throw new ClusterAway(
      'the response must be JSON; check whether the address is the Kubernetes API server’s',
    );
  }
  if (status >= 200 && status < 300) return body;
  const { reason, message } = body;
  throw new ClusterRefused(
    status,
    typeof reason === 'string' ? reason : '',
    typeof message === 'string' ? message : `the Kubernetes API server responded with ${status}`,
    parseRetryAfter(headers['retry-after']) || null,
  );
}
