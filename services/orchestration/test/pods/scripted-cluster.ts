import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { selfSigned } from '@switchyard/runner/test/self-signed';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../../../k8s/test/manifest';
import { schemaFindings } from '../../../../k8s/test/schema-rules';
import type { PodStatus } from '../../src/adapters/kubernetes/pod-state';
import type { RunPod } from '../../src/adapters/kubernetes/run-pod';
import type { PodSettings } from '../../src/settings/pod-settings';
import { securityFindings } from './pod-security';

export type Pod = RunPod & { status: PodStatus };
export interface Secret {
  metadata: { name: string; uid: string; ownerReferences?: { uid: string }[] };
  stringData: { ticket: string };
}

export interface Kubelet {
  start(pod: Pod, ticket: string): StartedPod;
}

export interface StartedPod {
  ended: Promise<{ exitCode: number; reason?: string }>;
  /** Sends the stop signal; the kill follows after the grace period, as on deletion. */
  stop(): void;
  kill(): void;
}

/**
 * Replaces the result of a request: by a status with a reason, by a connection that breaks before
 * or after the work, or by no response.
 */
export type Fault =
  | { status: number; reason: string; message: string }
  | 'breaks before'
  | 'breaks after'
  | 'hangs';

interface Planned {
  matches: RegExp;
  fault: Fault;
  times: number;
}

export type ScriptedCluster = Awaited<ReturnType<typeof startScriptedCluster>>;

const NAMESPACE = 'switchyard-runs';
const TEMPLATE = join(__dirname, '../../../../k8s/base/run-pods/pod-template.yaml');

const shippedTemplates = (): Manifest[] =>
  parseAllDocuments(readFileSync(TEMPLATE, 'utf8')).map((document) => document.toJS());

/**
 * Implements the part of the Kubernetes API that run pods use, over HTTPS and for one token.
 * Rejects unknown fields and specs that "restricted" Pod Security forbids. Also acts as scheduler
 * and garbage collector, and starts the pods through a kubelet.
 */
export async function startScriptedCluster(kubelet: Kubelet, podTemplates = shippedTemplates()) {
  const credentials = mkdtempSync(join(tmpdir(), 'switchyard-cluster-'));
  const { key, certificate } = selfSigned();
  const pods = new Map<string, Pod>();
  const secrets = new Map<string, Secret>();
  const started = new Map<string, StartedPod>();
  const created: string[] = [];
  const findings: string[] = [];
  const requests: string[] = [];
  const planned: Planned[] = [];
  const held = new Map<string, PodStatus>();
  let token = '';
  let holdsAll: PodStatus | null = null;

  const rotateToken = ({ isTold = true } = {}) => {
    token = randomUUID();
    if (isTold) writeFileSync(join(credentials, 'token'), `${token}\n`);
  };
  const writeToken = () => writeFileSync(join(credentials, 'token'), `${token}\n`);
  rotateToken();
  writeFileSync(join(credentials, 'ca.crt'), certificate);

  const templates = new Map(
    podTemplates
      .map((one) => ({ ...one, metadata: { ...one.metadata, uid: randomUUID() } }))
      .map((one) => [one.metadata.name, one]),
  );

  const advance = (pod: Pod) => {
    const { name } = pod.metadata;
    const secret = secrets.get(name);
    if (started.has(name) || pods.get(name) !== pod || !secret) return;
    const status = held.get(name) ?? holdsAll;
    if (status) {
      pod.status = status;
      return;
    }
    pod.status = { phase: 'Running', containerStatuses: [{ name: 'runner', state: {} }] };
    const running = kubelet.start(pod, secret.stringData.ticket);
    started.set(name, running);
    void running.ended.then(({ exitCode, reason }) => {
      const word = reason ?? (exitCode === 0 ? 'Completed' : 'Error');
      end(pod, {
        phase: exitCode === 0 ? 'Succeeded' : 'Failed',
        containerStatuses: [{ name: 'runner', state: { terminated: { exitCode, reason: word } } }],
      });
    });
  };

  const end = (pod: Pod, status: PodStatus) => {
    if (pod.status.phase !== 'Failed') pod.status = status;
    if (pod.metadata.deletionTimestamp) forget(pod);
  };

  const forget = (pod: Pod) => {
    const { name, uid } = pod.metadata;
    if (pods.get(name) !== pod) return;
    pods.delete(name);
    started.delete(name);
    for (const [one, secret] of secrets) {
      if (secret.metadata.ownerReferences?.some((owner) => owner.uid === uid)) secrets.delete(one);
    }
  };

  const remove = (pod: Pod) => {
    pod.metadata.deletionTimestamp ??= new Date().toISOString();
    const running = started.get(pod.metadata.name);
    if (running && pod.status.phase === 'Running') running.stop();
    else forget(pod);
  };

  const refuse = (status: number, reason: string, message: string): Reply => ({
    status,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status },
  });
  const invalid = (problems: string[]) => {
    findings.push(...problems);
    return refuse(422, 'Invalid', problems.join('; '));
  };

  const create = (kind: string, object: Manifest): Reply => {
    const all: Map<string, unknown> = kind === 'pods' ? pods : secrets;
    const problems = schemaFindings([object]);
    if (problems.length > 0) return invalid(problems);
    const { name } = object.metadata;
    if (all.has(name)) return refuse(409, 'AlreadyExists', `${kind} "${name}" already exists`);
    const metadata = { ...object.metadata, namespace: NAMESPACE, uid: randomUUID() };
    if (kind === 'secrets') {
      const secret = { ...object, metadata } as unknown as Secret;
      const owner = secret.metadata.ownerReferences?.[0]?.uid;
      secrets.set(name, secret);
      const pod = [...pods.values()].find((one) => one.metadata.uid === owner);
      if (pod) setImmediate(advance, pod);
      else secrets.delete(name);
      return { status: 201, body: secret };
    }
    const insecure = securityFindings(object as unknown as RunPod);
    if (insecure.length > 0) {
      findings.push(...insecure);
      return refuse(403, 'Forbidden', `violates PodSecurity "restricted": ${insecure.join('; ')}`);
    }
    const pod = { ...object, metadata, status: { phase: 'Pending' } } as unknown as Pod;
    pods.set(name, pod);
    created.push(name);
    return { status: 201, body: pod };
  };

  const serve = async (request: IncomingMessage): Promise<Reply> => {
    const { method = '', url = '' } = request;
    const sent = await text(request);
    if (request.headers.authorization !== `Bearer ${token}`) {
      return refuse(401, 'Unauthorized', 'Unauthorized');
    }
    const { pathname, searchParams } = new URL(url, 'https://cluster');
    const [, namespace, kind = '', name] =
      /^\/api\/v1\/namespaces\/([^/]+)\/(\w+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (namespace !== NAMESPACE) return refuse(403, 'Forbidden', `no rights in ${namespace}`);
    const allowed = `${method} ${kind}${name ? '/' : ''}`;
    if (!RIGHTS.includes(allowed)) return refuse(403, 'Forbidden', `${allowed} is not allowed`);
    if (method === 'POST') return create(kind, JSON.parse(sent));
    if (method === 'GET' && !name) {
      const wanted = (searchParams.get('labelSelector') ?? '')
        .split(',')
        .map((one) => one.split('='));
      const items = [...pods.values()].filter(({ metadata }) =>
        wanted.every(([label = '', value]) => metadata.labels?.[label] === value),
      );
      return { status: 200, body: { kind: 'PodList', apiVersion: 'v1', metadata: {}, items } };
    }
    const found = kind === 'pods' ? pods.get(name ?? '') : templates.get(name ?? '');
    if (!found) return refuse(404, 'NotFound', `${kind} "${name}" not found`);
    if (method === 'DELETE') {
      const { uid } = JSON.parse(sent || '{}').preconditions ?? {};
      if (uid && uid !== found.metadata.uid) return refuse(409, 'Conflict', 'another uid');
      remove(found as Pod);
    }
    return { status: 200, body: found };
  };

  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    const plan = planned.find(({ matches, times }) => times > 0 && matches.test(line));
    if (plan) plan.times--;
    const fault = plan?.fault;
    if (fault === 'hangs') return;
    if (fault === 'breaks before') return void request.socket.destroy();
    if (typeof fault === 'object') {
      const { status, reason, message } = fault;
      return send(response, refuse(status, reason, message));
    }
    const reply = await serve(request);
    if (fault === 'breaks after') return void request.socket.destroy();
    send(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    credentials,
    pods,
    secrets,
    created,
    findings,
    requests,
    settings: (more: Partial<PodSettings> = {}): PodSettings => ({
      template: 'switchyard-run',
      instance: 'switchyard',
      labels: [],
      limit: 20,
      startMs: 60_000,
      cluster: { url: `https://127.0.0.1:${port}`, credentials, namespace: NAMESPACE },
      ...more,
    }),
    variables: {
      RUN_POD_NAMESPACE: NAMESPACE,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(port),
      RUN_POD_ACCOUNT_DIR: credentials,
    },
    rotateToken,
    writeToken,
    fail: (matches: RegExp, fault: Fault, times = 1) => {
      planned.push({ matches, fault, times });
    },
    holdAll: (status: PodStatus | null) => {
      holdsAll = status;
      for (const pod of pods.values()) advance(pod);
    },
    vanish: (name: string) => {
      const pod = pods.get(name);
      started.get(name)?.kill();
      if (pod) forget(pod);
    },
    drain: (name: string) => {
      const pod = pods.get(name);
      if (pod) remove(pod);
    },
    killPod: (name: string, status: PodStatus) => {
      const pod = pods.get(name);
      if (!pod) throw new Error(`there is no pod ${name}`);
      pod.status = { phase: 'Failed', ...status };
      started.get(name)?.kill();
    },
    close: async () => {
      for (const one of started.values()) one.kill();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(credentials, { recursive: true, force: true });
    },
  };
}

interface Reply {
  status: number;
  body: object;
}

/** Rights in k8s/base/run-pods/access.yaml; the name of a single allowed object follows a slash. */
const RIGHTS = [
  'POST pods',
  'GET pods',
  'GET pods/',
  'DELETE pods/',
  'POST secrets',
  'GET podtemplates/',
];

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
