import { accessFindings } from './access-rules';
import { ours, rendered, type Workload, workloads } from './manifest';
import { mayCall } from './network-rules';

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
] as const)('%s on port %i accepts connections only from %j', (name, port, expected) => {
  const server = workloads(single).find(({ metadata }) => metadata.name === name) as Workload;
  const reaching = ours(single)
    .map(({ spec }) => spec.template.metadata.labels)
    .filter((labels) => mayCall(single, labels, server.spec.template.metadata.labels, port))
    .map((labels) => labels['app.kubernetes.io/component']);
  expect(new Set(reaching)).toEqual(new Set(expected));
});
