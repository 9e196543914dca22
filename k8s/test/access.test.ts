import { accessFindings } from './access-rules';
import {
  type Container,
  type Manifest,
  ours,
  rendered,
  type Workload,
  workloads,
} from './manifest';
import { mayCall } from './network-rules';
import { podRuleFindings } from './pod-rules';

const manifestsOf = {
  'overlays/single-node': rendered('overlays/single-node'),
  'overlays/production': rendered('overlays/production'),
};
const single = manifestsOf['overlays/single-node'];

it.each(Object.entries(manifestsOf))('%s gives each pod its own credentials', (_, manifests) => {
  expect(accessFindings(manifests)).toEqual([]);
});

it.each([
  ['redis', 6379, ['api', 'worker']],
  ['postgresql', 5432, ['migration', 'api', 'worker', 'metrics', 'backup']],
] as const)('%s is reached by those who need it', (name, port, expected) => {
  const server = workloads(single).find(({ metadata }) => metadata.name === name) as Workload;
  const reaching = ours(single)
    .map(({ spec }) => spec.template.metadata.labels)
    .filter((labels) => mayCall(single, labels, server.spec.template.metadata.labels, port))
    .map((labels) => labels['app.kubernetes.io/component']);
  expect(new Set(reaching)).toEqual(new Set(expected));
});

describe('planted errors', () => {
  const podOf = (manifests: Manifest[], name: string) =>
    (workloads(manifests).find(({ metadata }) => metadata.name === name) as Workload).spec.template
      .spec;
  const main = (manifests: Manifest[], name: string) =>
    podOf(manifests, name).containers[0] as Container;
  const redis = (manifests: Manifest[]) => main(manifests, 'redis');
  const api = (manifests: Manifest[]) => main(manifests, 'switchyard-api');
  const secret = (name: string, of: string) => ({
    name,
    valueFrom: { secretKeyRef: { name: of, key: name } },
  });
  const planted: [string, (manifests: Manifest[]) => void, RegExp][] = [
    [
      'a server by a tag that moves',
      (all) => Object.assign(redis(all), { image: 'redis:8' }),
      /redis: runs redis:8, whichever/,
    ],
    [
      'a Redis without a password',
      (all) => redis(all).args?.splice(1, 1),
      /redis: asks for no password/,
    ],
    [
      'a Redis whose password is no secret',
      (all) => delete podOf(all, 'redis').volumes?.[0]?.secret,
      /redis: asks for no password/,
    ],
    [
      'a password as an argument',
      (all) => redis(all).args?.push('--requirepass', 'x'),
      /redis: has its password as an argument/,
    ],
    [
      'a worker that could sign sessions',
      (all) => main(all, 'switchyard-worker').env?.push(secret('SESSION_SECRET', 'switchyard-api')),
      /worker: holds SESSION_SECRET/,
    ],
    [
      "the owner's role in a service",
      (all) => api(all).env?.push(secret('DATABASE_OWNER_URL', 'switchyard-migrations')),
      /api: holds DATABASE_OWNER_URL of/,
    ],
    [
      'the superuser in an init container',
      (all) =>
        podOf(all, 'switchyard-api').initContainers?.[0]?.env?.push(
          secret('DATABASE_URL', 'switchyard-postgresql'),
        ),
      /api: holds DATABASE_URL of/,
    ],
    [
      'a whole secret',
      (all) => api(all).envFrom?.push({ secretRef: { name: 'switchyard-orchestration' } }),
      /holds all of the secret/,
    ],
    [
      'migrations without a role of their own',
      (all) => {
        const [job] = ours(all).filter((one) => one.kind === 'Job');
        job?.spec.template.spec.containers[0]?.env?.splice(1, 1);
      },
      /migrates with the role of the service/,
    ],
  ];

  it.each(planted)('%s', (_, plant, expected) => {
    const manifests = structuredClone(single);
    plant(manifests);
    const found = [...accessFindings(manifests), ...podRuleFindings(manifests)];
    expect(found.join('\n')).toMatch(expected);
  });
});
