import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Container,
  containers,
  deployment,
  type Manifest,
  ours,
  ROOT,
  rendered,
  workloads,
} from './manifest';
import { mayReachAddress } from './network-rules';
import { environmentOf } from './settings-rules';

function unknownMetrics(manifests: Manifest[]): string[] {
  const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
  const scalers = manifests.filter(({ kind }) => kind === 'ScaledObject');
  const names = JSON.stringify(scalers).match(/(?:switchyard|marketmetrics)_\w+/g) ?? [];
  return names.length === 0
    ? ['none']
    : [...new Set(names)].filter((name) => !page.includes(`\`${name}\``));
}

it('the autoscaling in test/overlays/gateway uses only documented metrics', () => {
  const manifests = rendered('test/overlays/gateway');
  expect(unknownMetrics(manifests)).toEqual([]);
});

const BUILT_IN =
  /^(v1|apps\/v1|autoscaling\/v2|batch\/v1|(networking|rbac\.authorization)\.k8s\.io\/v1|policy\/v1)$/;

it.each(['overlays/single-node', 'overlays/production'])(
  '%s needs no CustomResourceDefinition',
  (folder) => {
    const versions = rendered(folder).map(({ apiVersion }) => apiVersion);
    expect(versions.filter((version) => !BUILT_IN.test(version))).toEqual([]);
  },
);

it('the production overlay contains autoscaling, disruption budgets, an Ingress and a backup', () => {
  const kinds = rendered('overlays/production').map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );
  for (const name of ['api', 'worker', 'runner', 'metrics']) {
    expect(kinds).toContain(`PodDisruptionBudget switchyard-${name}`);
  }
  expect(kinds).toContain('HorizontalPodAutoscaler switchyard-api');
  expect(kinds).toContain('CronJob switchyard-backup');
  expect(kinds).toContain('Ingress switchyard');
});

it('a backup to an S3 bucket uses its own access keys and mounts no volume', () => {
  const manifests = rendered('test/overlays/nginx');
  const [backup] = workloads(manifests).filter(({ kind }) => kind === 'CronJob');
  const { containers = [], volumes } = backup?.spec.template.spec ?? {};
  const [main] = containers as [Container];
  const { BACKUP_TARGET, S3_REGION } = environmentOf(manifests, main);
  expect(BACKUP_TARGET).toMatch(/^s3:\/\/[\w-]+\/nightly$/);
  expect(S3_REGION).toBe('eu-central-1');
  const keys = (main.env ?? []).filter(({ name }) => name.startsWith('S3_'));
  expect(keys.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)).toEqual(
    Array(2).fill('switchyard-backup'),
  );
  expect(JSON.stringify([volumes, manifests])).not.toContain('switchyard-backups"');
  const labels = backup?.spec.template.metadata.labels ?? {};
  expect(mayReachAddress(manifests, labels, '203.0.113.7')).toBe(true);
  expect(mayReachAddress(manifests, labels, '10.0.0.7')).toBe(false);
});

it('the production overlay allows API, backup and metrics service to reach public IPv6 addresses', () => {
  const manifests = rendered('overlays/production');
  for (const component of ['api', 'backup', 'metrics']) {
    const found = workloads(manifests).find(
      ({ metadata }) => metadata.name === `switchyard-${component}`,
    );
    const labels = found?.spec.template.metadata.labels ?? {};
    expect(mayReachAddress(manifests, labels, '2606:4700::1111')).toBe(true);
    expect(mayReachAddress(manifests, labels, 'fd00::7')).toBe(false);
  }
});

it('migration Jobs have no ttlSecondsAfterFinished, because a GitOps controller would create them again', () => {
  const jobs = workloads(rendered('overlays/production')).filter(({ kind }) => kind === 'Job');
  expect(jobs).toHaveLength(2);
  expect(jobs.filter(({ spec }) => 'ttlSecondsAfterFinished' in spec)).toEqual([]);
});

it('the progress deadline of the runner is longer than its termination grace period', () => {
  for (const overlay of ['overlays/single-node', 'overlays/production']) {
    const { spec } = deployment(rendered(overlay), 'switchyard-runner') as unknown as {
      spec: {
        progressDeadlineSeconds: number;
        template: { spec: { terminationGracePeriodSeconds: number } };
      };
    };
    const { terminationGracePeriodSeconds } = spec.template.spec;
    expect(spec.progressDeadlineSeconds).toBeGreaterThan(terminationGracePeriodSeconds);
  }
});

it('the database-tls overlay mounts the CA certificate in every pod that connects to PostgreSQL or Redis', () => {
  const manifests = rendered('test/overlays/database-tls');
  const callers = ours(manifests)
    .map(({ spec }) => spec.template.spec)
    .filter((pod) => /DATABASE_URL|OWNER_URL|REDIS_URL/.test(JSON.stringify(pod)));
  expect(callers.length).toBeGreaterThan(5);
  for (const pod of callers) {
    expect(pod.volumes).toContainEqual({ name: 'ca', configMap: { name: 'switchyard-ca' } });
    for (const { volumeMounts } of containers(pod)) {
      expect(volumeMounts).toContainEqual({
        name: 'ca',
        mountPath: '/etc/switchyard',
        readOnly: true,
      });
    }
  }
});
