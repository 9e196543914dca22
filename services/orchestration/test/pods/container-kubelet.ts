import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesOf } from './process-kubelet';
import type { Kubelet, Pod } from './scripted-cluster';

const { CONTAINER_ENGINE: ENGINE = 'docker', POD_IMAGE: IMAGE = 'switchyard-runner:local' } =
  process.env;
const CHECKOUT = join(__dirname, '../../../..');
const RUNNER = join(__dirname, '../../dist/bin/runner.js');

interface SecurityContext {
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  capabilities?: { drop?: string[] };
  runAsUser?: number;
  runAsGroup?: number;
}

/** What of a pod's security contexts an engine is told. */
function confinementOf({ spec }: Pod): string[] {
  const ofPod = (spec.securityContext ?? {}) as SecurityContext;
  const own = (spec.containers[0]?.securityContext ?? {}) as SecurityContext;
  return [
    ...['--user', `${ofPod.runAsUser}:${ofPod.runAsGroup}`],
    ...(own.readOnlyRootFilesystem ? ['--read-only'] : []),
    ...(own.allowPrivilegeEscalation === false ? ['--security-opt', 'no-new-privileges'] : []),
    ...(own.capabilities?.drop ?? []).flatMap((name) => ['--cap-drop', name]),
  ];
}

/**
 * Starts each pod as a container of an engine, with the pod's own security contexts, volumes that are its own, and the
 * built runner of this checkout. The network is the host's, where the server of the test is.
 */
export function containerKubelet(runnerUrl: () => string): Kubelet {
  const engine = (...args: string[]) =>
    execFileSync(ENGINE, args, { encoding: 'utf8', stdio: 'pipe', cwd: '/' });
  return {
    start: (pod, ticket) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchyard-ticket-'));
      const file = join(folder, 'ticket');
      writeFileSync(file, ticket);
      // As the kubelet mounts it: of the pod's group, for nobody to write.
      chownSync(file, 0, 10_001);
      chmodSync(file, 0o440);
      const data = mkdtempSync(join(tmpdir(), 'switchyard-pod-data-'));
      chownSync(data, 10_001, 10_001);
      chmodSync(folder, 0o755);
      const mounts = [
        ...[CHECKOUT, process.execPath].map((path) => `${path}:${path}:ro`),
        `${folder}:/var/run/switchyard:ro`,
        `${data}:/data`,
      ].flatMap((mount) => ['--volume', mount]);
      const variables = {
        ...variablesOf(pod),
        RUNNER_URL: runnerUrl(),
        AUTH_MODE: 'local_trusted',
        RUNNER_DRAIN_SEC: '0',
      };
      const { name } = pod.metadata;
      const child = spawn(
        ENGINE,
        [
          ...['run', '--rm', '--name', name, '--network', 'host', ...confinementOf(pod)],
          ...['--tmpfs', '/tmp:mode=1777', '--no-healthcheck', ...mounts],
          ...Object.entries(variables).flatMap((pair) => ['--env', pair.join('=')]),
          ...['--entrypoint', process.execPath, '--workdir', '/', IMAGE, RUNNER],
        ],
        { stdio: ['ignore', 'inherit', 'inherit'], cwd: '/' },
      );
      const tell = (signal: string) => {
        try {
          engine('kill', '--signal', signal, name);
        } catch {
          // It has ended by itself.
        }
      };
      return {
        ended: once(child, 'exit').then(([code]) => {
          for (const one of [folder, data]) rmSync(one, { recursive: true, force: true });
          return { exitCode: (code as number | null) ?? 137 };
        }),
        stop: () => tell('TERM'),
        kill: () => tell('KILL'),
      };
    },
  };
}
