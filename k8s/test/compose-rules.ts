import { readRunnerSettings } from '../../packages/runner/src/runner-settings';
import { readConfig as readMetrics } from '../../services/metrics/src/config';
import { readConfig as readOrchestration } from '../../services/orchestration/src/config';
import {
  type Composed,
  type ComposedFile,
  environmentOf,
  mountsOf,
  productOf,
} from './compose-files';
import type { Labels } from './manifest';
import { isCommand } from './process-rules';

export const SERVES = ['api', 'worker', 'runner', 'metrics'];

type Read = (variables: Record<string, string | undefined>, process: 'api' | 'worker') => unknown;

export function refusals(services: ComposedFile, files: Labels): string[] {
  return SERVES.flatMap((name) => {
    const service = services[name] as Composed;
    const environment = {
      ...environmentOf(service, files),
      HOST: '0.0.0.0',
      NODE_ENV: 'production',
    };
    const ofProduct: Read = productOf(service) === 'metrics' ? readMetrics : readOrchestration;
    const read: Read = name === 'runner' ? readRunnerSettings : ofProduct;
    try {
      read(environment, name as 'api' | 'worker');
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
}

export type Ports = Record<string, number[]>;

function healthFindings({ healthcheck }: Composed, ports: number[]): string[] {
  const url = healthcheck?.test?.find((word) => word.startsWith('http'));
  if (!url) return ['is not asked whether it is ready'];
  const { port, pathname } = new URL(url);
  return pathname === '/readyz' && Number(port) === ports[0] ? [] : [`is asked at ${url}`];
}

const conditionFor = (service: Composed | undefined) =>
  service?.healthcheck && !service.healthcheck.disable
    ? 'service_healthy'
    : 'service_completed_successfully';

function before(services: ComposedFile, name: string): string[] {
  const direct = Object.keys(services[name]?.depends_on ?? {});
  return [name, ...direct.flatMap((other) => before(services, other))];
}

/**
 * Finds images of this product that several services build, because concurrent exports of one tag
 * collide. Finds services that may start before their image is built.
 */
function imageFindings(services: ComposedFile, name: string): string[] {
  const { image = '', build, pull_policy: policy } = services[name] as Composed;
  if (!productOf(services[name] as Composed)) {
    return /:[\d.]+@sha256:[0-9a-f]{64}$/.test(image) ? [] : [`runs ${image}, whichever that is`];
  }
  const found = policy === 'never' ? [] : ['looks for an image of ours elsewhere'];
  const builders = Object.keys(services).filter(
    (one) => services[one]?.build && services[one]?.image === image,
  );
  if (build && builders.length > 1) found.push(`builds ${image}, as others do`);
  if (!before(services, name).some((one) => builders.includes(one)))
    found.push(`does not wait for what builds ${image}`);
  return found;
}

function keyFindings(name: string, service: Composed): string[] {
  return mountsOf(service)
    .filter(({ volume }) => /^keys($|-)/.test(volume))
    .flatMap(({ volume, isReadOnly }) => [
      ...(name !== 'keys' && !isReadOnly ? [`may write ${volume}`] : []),
      ...(['keys', volume.slice(5)].includes(name) || (name === 'operator' && volume === 'keys')
        ? []
        : [`holds the keys of others: ${volume}`]),
    ]);
}

export function composeFindings(services: ComposedFile, ports: Ports): string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const found = [...imageFindings(services, name), ...keyFindings(name, service)];
    const product = productOf(service);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      if (!services[other]) found.push(`waits for ${other}, which is not there`);
      else if (condition !== conditionFor(services[other]))
        found.push(`waits for ${other}: ${condition}`);
    }
    for (const published of service.ports ?? []) {
      const [address, , inside] = published.split(':');
      if (address !== '127.0.0.1') found.push(`publishes ${published} beyond this machine`);
      if (!ports[name]?.includes(Number(inside)))
        found.push(`publishes ${inside}, which nobody listens on`);
    }
    if (product && !['operator', 'demo'].includes(name)) {
      const words = [...(service.entrypoint ?? []), ...(service.command ?? [])];
      const isPlain = (word: string) => !/^(--.*|\/usr\/bin\/tini)$/.test(word);
      const command = words.filter(isPlain);
      if (!isCommand(command, /^switchyard-(\w+):/.exec(service.image ?? '')?.[1]))
        found.push(`runs ${command.join(' ')}`);
    }
    if (product && !(service.read_only && service.cap_drop?.join() === 'ALL'))
      found.push('may do more than it has to');
    if (product && !(service.pids_limit && service.mem_limit))
      found.push('may take all of the machine');
    if (!service.logging?.options?.['max-size']) found.push('logs until the disk is full');
    if (SERVES.includes(name)) found.push(...healthFindings(service, ports[name] ?? []));
    return found.map((text) => `${name}: ${text}`);
  });
}
