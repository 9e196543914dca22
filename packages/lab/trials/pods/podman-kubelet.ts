import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kubelet, Pod } from '@switchyard/orchestration/test/pods/scripted-cluster';

const { RUNNER_IMAGE: IMAGE = 'switchyard-runner:local' } = process.env;
const GROUP = 10_001;
/** The tests run as another account, but only root can create the files and accounts of a node. */
const asRoot = { uid: 0, gid: 0, cwd: '/' };

type Json = Record<string, unknown>;

export interface PodAdditions {
  variables: Record<string, string>;
  folders?: readonly string[];
}

/**
 * Starts each pod with `podman play kube` from the manifest that the worker created, and replaces
 * the kubelet: it mounts volumes and writes the ticket. Uses the host's network, which reaches more
 * addresses than a network policy would allow. Needs root, and podman 4.3 or later.
 */
export function podmanKubelet(additions: () => PodAdditions) {
  const podman = (...args: string[]) =>
    execFileSync('podman', args, { encoding: 'utf8', stdio: 'pipe', ...asRoot }).trim();
  const kubelet: Kubelet = {
    start: (pod, ticket) => {
      const { name } = pod.metadata;
      const node = mkdtempSync(join(tmpdir(), 'switchyard-pod-'));
      chmodSync(node, 0o711);
      const file = join(node, 'pod.json');
      writeFileSync(file, JSON.stringify(manifestOf(pod, node, ticket, additions())));
      const played = new Promise<number>((resolve, reject) => {
        execFile('podman', ['play', 'kube', file], asRoot, (error, _, said) => {
          if (error) return reject(new Error(`podman play kube: ${said}`));
          execFile('podman', ['wait', `${name}-runner`], asRoot, (failed, code) =>
            failed ? reject(failed) : resolve(Number(code)),
          );
        });
      });
      const tell = (signal: string) => {
        try {
          podman('kill', '--signal', signal, `${name}-runner`);
        } catch {}
      };
      return {
        ended: played.then(
          (exitCode) => {
            const reason = exitCode === 0 ? {} : { reason: podman('logs', `${name}-runner`) };
            podman('pod', 'rm', '--force', name);
            // Uses `rm`, because a hostile agent leaves 3,000 levels of folders, and Node.js's own
            // removal would overflow the stack.
            execFileSync('rm', ['-rf', '--', node], asRoot);
            return { exitCode, ...reason };
          },
          (error: Error) => ({ exitCode: 128, reason: error.message }),
        ),
        stop: () => tell('TERM'),
        kill: () => tell('KILL'),
      };
    },
  };
  return {
    ...kubelet,
    pidOf: (name: string) =>
      Number(podman('inspect', `${name}-runner`, '--format', '{{.State.Pid}}')),
  };
}

function manifestOf(
  pod: Pod,
  node: string,
  ticket: string,
  { variables, folders = [] }: PodAdditions,
) {
  const { name, labels } = pod.metadata;
  const { volumes = [], containers, ...spec } = structuredClone(pod.spec);
  const added = folders.map((path, at) => ({ name: `added-${at}`, path }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: {
      ...spec,
      hostNetwork: true,
      containers: containers.map(({ env = [], envFrom: _, volumeMounts = [], ...container }) => ({
        ...container,
        image: IMAGE,
        imagePullPolicy: 'Never',
        env: [
          ...env.filter((one) => !(String(one.name) in variables)),
          ...Object.entries(variables).map(([key, value]) => ({ name: key, value })),
        ],
        volumeMounts: [
          ...volumeMounts,
          ...added.map((one) => ({ name: one.name, mountPath: one.path })),
        ],
      })),
      volumes: [
        ...volumes.map((volume) => hostFolder(volume.name, folderOf(volume, node, ticket))),
        ...added.map((one) => hostFolder(one.name, one.path)),
      ],
    },
  };
}

const hostFolder = (name: unknown, path: string) => ({
  name,
  hostPath: { path, type: 'Directory' },
});

function folderOf({ name, secret }: Json, node: string, ticket: string): string {
  const folder = join(node, String(name));
  mkdirSync(folder);
  if (secret) {
    writeFileSync(join(folder, 'ticket'), ticket);
    handOut(join(folder, 'ticket'), 0o440);
  }
  handOut(folder, secret ? 0o755 : 0o2777);
  return folder;
}

function handOut(path: string, mode: number): void {
  if (process.geteuid?.() === 0) chownSync(path, 0, GROUP);
  chmodSync(path, mode);
}
