import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Container, type Manifest, ours, type Probe, ROOT, type Workload } from './manifest';
import { productOf } from './settings-rules';

function portOf({ ports = [] }: Container, wanted: string | number): number | undefined {
  return ports.find(({ name, containerPort }) => name === wanted || containerPort === wanted)
    ?.containerPort;
}

export interface Listens {
  probes: number;
  others: number[];
}

function probeFindings(container: Container, { probes, others }: Listens): string[] {
  const wanted: [string, Probe | undefined, string][] = [
    ['startupProbe', container.startupProbe, '/livez'],
    ['readinessProbe', container.readinessProbe, '/readyz'],
    ['livenessProbe', container.livenessProbe, '/livez'],
  ];
  const found = wanted.flatMap(([name, probe, path]) => {
    if (!probe?.httpGet) return [`has no ${name}`];
    const port = portOf(container, probe.httpGet.port);
    return [
      ...(probe.httpGet.path === path ? [] : [`${name} asks ${probe.httpGet.path}, not ${path}`]),
      ...(port === probes ? [] : [`${name} asks port ${port}, not ${probes}`]),
    ];
  });
  const declared = (container.ports ?? []).map(({ containerPort }) => containerPort).sort();
  const listened = [probes, ...others].sort();
  if (declared.join() !== listened.join()) {
    found.push(`declares the ports ${declared}, listens on ${listened}`);
  }
  return found;
}

export function isCommand(args: string[], image: string | undefined): boolean {
  const script = args.find((word) => word.endsWith('.js')) ?? '';
  const [, owner, file] =
    /^(?:node_modules\/@switchyard\/([a-z]+)\/)?dist\/(bin\/[a-z-]+)\.js$/.exec(script) ?? [];
  const unit = owner ?? image;
  const folder = unit === 'orchestration' || unit === 'metrics' ? 'services' : 'packages';
  return (
    args[0] === 'node' &&
    file !== undefined &&
    existsSync(join(ROOT, folder, `${unit}/src/${file}.ts`))
  );
}

const wordsOf = (args: string[]) => (args[0] === 'sh' ? (args.at(-1)?.split(/\s+/) ?? []) : args);

const secondsOf = (command: string[] = []) => (command[0] === 'sleep' ? Number(command[1]) : 0);
const settingOf = ({ env = [] }: Container, name: string) =>
  env.find((one) => one.name === name)?.value;

function graceFindings({ spec }: Workload, isServed: boolean): string[] {
  const pod = spec.template.spec;
  const [container] = pod.containers as [Container];
  const pause = secondsOf(container.lifecycle?.preStop?.exec?.command);
  const drain = Number(
    settingOf(container, 'RUNNER_DRAIN_SEC') ?? settingOf(container, 'SHUTDOWN_GRACE_SEC'),
  );
  const grace = pod.terminationGracePeriodSeconds ?? 30;
  return [
    ...(isServed && pause < 3 ? ['stops listening while the Service still sends'] : []),
    ...(grace >= pause + drain + 5
      ? []
      : [`is killed after ${grace} s, and needs ${pause} + ${drain} s`]),
  ];
}

export function processFindings(manifests: Manifest[], listens: Record<string, Listens>): string[] {
  return ours(manifests).flatMap((workload) => {
    const { metadata, kind, spec } = workload;
    const pod = spec.template.spec;
    const [container] = pod.containers as [Container];
    const service = productOf(workload);
    const all = [container, ...(pod.initContainers ?? [])];
    const found = all.flatMap(({ args = [], image }) =>
      isCommand(wordsOf(args), /switchyard-(\w+):/.exec(image)?.[1])
        ? []
        : [`runs ${args.join(' ')}, which nothing here is built to`],
    );
    if (kind === 'Deployment') {
      const known = listens[metadata.name];
      const waits = (pod.initContainers ?? []).some(
        ({ args = [] }) =>
          args.some((word) => word.endsWith('/await-schema.js')) && args.at(-1) === service,
      );
      if (!waits && metadata.name !== 'switchyard-runner') {
        found.push('does not wait for its schema');
      }
      if (!known) found.push('is not known here');
      else found.push(...probeFindings(container, known));
      found.push(
        ...graceFindings(
          workload,
          !['switchyard-worker', 'switchyard-runner'].includes(metadata.name),
        ),
      );
    }
    return found.map((text) => `${metadata.name}: ${text}`);
  });
}

export function migrationFindings(manifests: Manifest[], products: string[]): string[] {
  return products.flatMap((product) => {
    const jobs = ours(manifests).filter(
      ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith(`migrate-${product}-v`),
    );
    const [job] = jobs;
    if (!job || jobs.length > 1) return [`${jobs.length} Jobs migrate ${product}`];
    const { name } = job.metadata;
    const [{ args = [], image }] = job.spec.template.spec.containers as [Container];
    const tag = /:([^:/]+)$/.exec(image)?.[1];
    return [
      ...(name.endsWith(`-v${tag}`) ? [] : [`${name} is not named after its release ${tag}`]),
      ...(args.at(-1) === product ? [] : [`${name} migrates ${args.at(-1)}`]),
    ];
  });
}
