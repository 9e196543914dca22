import type { RunPod } from '../../src/adapters/kubernetes/run-pod';

export function securityFindings({ spec }: RunPod): string[] {
  const found: string[] = [];
  const expect = (holds: boolean, text: string) => {
    if (!holds) found.push(text);
  };
  const pod = (spec.securityContext ?? {}) as Record<string, unknown>;
  expect(pod.runAsNonRoot === true && pod.runAsUser === 10_001, 'runs as somebody else than 10001');
  const profile = pod.seccompProfile as { type?: string } | undefined;
  expect(profile?.type === 'RuntimeDefault', 'has no seccomp profile');
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC']) expect(!spec[name], `has ${name}`);
  expect(spec.automountServiceAccountToken === false, 'is given a service account token');
  expect(spec.restartPolicy === 'Never', 'is restarted');
  expect(Number(spec.activeDeadlineSeconds) > 0, 'has no deadline');
  for (const volume of spec.volumes ?? []) {
    expect(!('hostPath' in volume), `mounts the host at ${String(volume.name)}`);
  }
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    const own = (container.securityContext ?? {}) as Record<string, unknown>;
    const { drop = [], add = [] } = (own.capabilities ?? {}) as { drop?: string[]; add?: string[] };
    expect(drop.includes('ALL') && add.length === 0, `${container.name} keeps capabilities`);
    expect(own.allowPrivilegeEscalation === false, `${container.name} may gain privileges`);
    expect(own.readOnlyRootFilesystem === true, `${container.name} may write its root`);
    expect(own.privileged === undefined, `${container.name} is privileged`);
    const { limits = {} } = (container.resources ?? {}) as { limits?: Record<string, string> };
    expect(
      Boolean(limits.memory && limits['ephemeral-storage']),
      `${container.name} has no limits`,
    );
  }
  return found;
}
