import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kubelet, Pod } from './scripted-cluster';

const RUNNER = join(__dirname, '../../../../packages/runner/dist/bin/runner.js');

const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/**
 * Starts the built runner with the environment of the pod and of `more`, and with folders instead
 * of volumes. `claims` is the folder for persistent volumes.
 */
export function processKubelet(
  runnerUrl: () => string,
  more: Record<string, string> = {},
  claims = '',
): Kubelet & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    start: (pod, ticket) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchyard-pod-'));
      writeFileSync(join(folder, 'ticket'), ticket);
      const child = spawn(process.execPath, [RUNNER], {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          ...variablesOf(pod),
          AUTH_MODE: 'local_trusted',
          RUNNER_URL: runnerUrl(),
          RUNNER_TICKET_FILE: join(folder, 'ticket'),
          RUNNER_DRAIN_SEC: '0',
          DATA_DIR: persistentDataOf(pod, claims) ?? join(folder, 'data'),
          ...more,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      alive.add(child);
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data: Buffer) => lines.push(`${pod.metadata.name}: ${data}`));
      }
      return {
        ended: once(child, 'exit').then(([code]) => {
          alive.delete(child);
          rmSync(folder, { recursive: true, force: true });
          return code === null ? { exitCode: 137, reason: 'Error' } : { exitCode: code };
        }),
        stop: () => void child.kill('SIGTERM'),
        kill: () => void child.kill('SIGKILL'),
      };
    },
  };
}

const LABEL = /^metadata\.labels\['(.*)'\]$/;

function variablesOf({ spec, metadata }: Pod): Record<string, string> {
  const [runner] = spec.containers;
  const textOf = ({ value, valueFrom }: Record<string, unknown>) => {
    const { fieldRef } = (valueFrom ?? {}) as { fieldRef?: { fieldPath: string } };
    const [, label = ''] = LABEL.exec(fieldRef?.fieldPath ?? '') ?? [];
    return String(fieldRef ? metadata.labels?.[label] : value);
  };
  return Object.fromEntries((runner?.env ?? []).map((one) => [String(one.name), textOf(one)]));
}

function persistentDataOf(pod: Pod, claims: string): string | undefined {
  const claim = pod.spec.volumes?.find(({ name }) => name === 'data')?.persistentVolumeClaim;
  if (!claim) return;
  const mount = pod.spec.containers[0]?.volumeMounts?.find(({ name }) => name === 'data');
  const variables = variablesOf(pod);
  const part = String(mount?.subPathExpr).replace(
    /\$\((\w+)\)/g,
    (_, name) => `${variables[name]}`,
  );
  return join(claims, (claim as { claimName: string }).claimName, part);
}
