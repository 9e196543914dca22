import { type Container, containers, type Manifest, type PodSpec, workloads } from './manifest';
import { API_ALONE, WORKER_ALONE } from './settings-rules';

const OF_OWNERS = ['switchyard-migrations', 'switchyard-postgresql'];

function serviceFindings(name: string, container: Container): string[] {
  const env = container.env ?? [];
  return [
    ...env
      .filter(
        ({ name: variable }) =>
          (name !== 'switchyard-api' && API_ALONE.includes(variable)) ||
          (name === 'switchyard-api' && WORKER_ALONE.includes(variable)),
      )
      .map(({ name: variable }) => `holds ${variable}, which it does not need`),
    ...env
      .filter(({ valueFrom }) => OF_OWNERS.includes(valueFrom?.secretKeyRef?.name ?? ''))
      .map(({ name: variable }) => `holds ${variable} of ${OF_OWNERS.join(' or ')}`),
    ...(container.envFrom ?? [])
      .filter(({ secretRef }) => secretRef)
      .map(({ secretRef }) => `holds all of the secret ${secretRef?.name}`),
  ];
}

function migrationFindings({ env = [] }: Container): string[] {
  return env.some(({ name }) => name === 'DATABASE_OWNER_URL')
    ? []
    : ['migrates with the role of the service'];
}

function redisFindings({ args = [], volumeMounts = [] }: Container, pod: PodSpec): string[] {
  const config = args.find((word) => word.endsWith('.conf')) ?? '';
  const mount = volumeMounts.find(({ mountPath }) => config.startsWith(`${mountPath}/`));
  const volume = pod.volumes?.find(({ name }) => name === mount?.name);
  return [
    ...(volume?.secret ? [] : ['asks for no password']),
    ...(args.includes('--requirepass') ? ['has its password as an argument'] : []),
  ];
}

export function accessFindings(manifests: Manifest[]): string[] {
  return workloads(manifests).flatMap(({ kind, metadata, spec }) => {
    const pod = spec.template.spec;
    const found = containers(pod).flatMap((container) => {
      if (/(^|\/)redis:/.test(container.image)) return redisFindings(container, pod);
      if (kind === 'Job') return migrationFindings(container);
      return kind === 'Deployment' ? serviceFindings(metadata.name, container) : [];
    });
    return found.map((text) => `${metadata.name}: ${text}`);
  });
}
