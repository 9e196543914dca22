import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { containersOf } from '../../../../k8s/render.cjs';

const run = promisify(execFile);

const plays = new AbortController();

export const play = (...args) =>
  run('podman', ['play', 'kube', ...args], { signal: plays.signal }).catch((error) => {
    throw new Error(`podman play kube: ${error.stderr?.slice(-2000) ?? error.message}`);
  });

/**
 * Aborts every `podman play kube`, because a pod cannot be removed while its init container runs.
 */
export const giveUp = () => plays.abort();

export async function podman(...args) {
  try {
    return (await run('podman', args, { maxBuffer: 1e8 })).stdout.trim();
  } catch (error) {
    throw new Error(`podman ${args.slice(0, 3).join(' ')}: ${`${error.stderr}`.slice(-2000)}`);
  }
}

export async function makeSecret(name, values, scratch) {
  const pairs = Object.entries(values).map(([key, text]) => [key, btoa(text)]);
  const file = path.join(scratch, `${name}.secret`);
  writeFileSync(file, JSON.stringify(Object.fromEntries(pairs)), { mode: 0o600 });
  await podman('secret', 'create', name, file);
}

function folderFor(folder, group, mode) {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, 0, group);
  chmodSync(folder, mode);
  return folder;
}

function folderOf(volume, { pod, scratch, group, secrets }) {
  const { name, persistentVolumeClaim: claim, emptyDir, secret } = volume;
  if (claim) return folderFor(path.join(scratch, 'claims', claim.claimName), group, 0o2775);
  if (emptyDir) return folderFor(path.join(scratch, 'pods', pod, name), group, 0o2777);
  if (!secret) throw new Error(`${pod}: the volume ${name} has an unknown kind`);
  const folder = folderFor(path.join(scratch, 'pods', pod, name), group, 0o2755);
  for (const [file, text] of Object.entries(secrets[secret.secretName])) {
    writeFileSync(path.join(folder, file), text);
    chownSync(path.join(folder, file), 0, group);
    chmodSync(path.join(folder, file), 0o440);
  }
  return folder;
}

/**
 * Returns a workload's template as a Pod for `podman play kube`, without the parts that podman does
 * not support. The rehearsal replaces the kubelet for volumes, probes and preStop. Names of
 * Services become the names of their pods.
 */
export function podFor({
  metadata,
  template,
  claims = [],
  address,
  hosts,
  prefix,
  images,
  ...places
}) {
  const spec = structuredClone(template.spec);
  const name = `${prefix}-${metadata.name}`.replaceAll('.', '-');
  const group = spec.securityContext.fsGroup;
  for (const container of containersOf(spec)) {
    container.image = images(container.image);
    for (const { valueFrom } of container.env ?? []) {
      if (valueFrom?.secretKeyRef)
        valueFrom.secretKeyRef.name = `${prefix}-${valueFrom.secretKeyRef.name}`;
    }
    for (const part of ['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle'])
      delete container[part];
    delete container.ports;
  }
  const claimed = claims.map(({ metadata: { name: claim } }) => ({
    name: claim,
    persistentVolumeClaim: { claimName: `${claim}-${metadata.name}-0` },
  }));
  spec.volumes = [...(spec.volumes ?? []), ...claimed].map((volume) => ({
    name: volume.name,
    hostPath: {
      path: folderOf(volume, { pod: name, group, ...places }),
      type: 'Directory',
    },
  }));
  spec.restartPolicy = 'Never';
  spec.hostAliases = Object.entries(hosts).map(([host, ip]) => ({ ip, hostnames: [host] }));
  return {
    name,
    address,
    original: template.spec,
    manifest: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: template.metadata.labels },
      spec,
    },
  };
}
