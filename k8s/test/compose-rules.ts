import { parseEnv } from 'node:util';
import { readConfig as readMetrics } from '../../services/metrics/src/config';
import { readConfig as readOrchestration } from '../../services/orchestration/src/config';
import type { Composed, Labels } from './manifest';
import { isCommand } from './process-rules';

type ComposedFile = Record<string, Composed>;
export type Product = 'orchestration' | 'metrics';

export const productOf = ({ image }: Composed) =>
  /^switchyard-(orchestration|metrics):/.exec(image ?? '')?.[1] as Product | undefined;

/** What `node --env-file` adds: the environment wins, also where it is empty. */
export function environmentOf(
  service: Composed,
  files: Labels,
): Record<string, string | undefined> {
  const file = service.command?.find((word) => word.startsWith('--env-file='))?.slice(11);
  return { ...(file ? parseEnv(files[file] ?? '') : {}), ...service.environment };
}

const SERVES = ['api', 'worker', 'metrics'];

/** Refusals of the services themselves, with the environment that this file gives them. */
export function settingsFindings(services: ComposedFile, files: Labels): string[] {
  return SERVES.flatMap((name) => {
    const service = services[name] as Composed;
    const environment = {
      ...environmentOf(service, files),
      HOST: '0.0.0.0',
      NODE_ENV: 'production',
    };
    const read = productOf(service) === 'metrics' ? readMetrics : readOrchestration;
    try {
      read(environment);
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
}

/** What else may be published, and asked for health. */
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

/** Order of the start, what is published, commands, names of settings, and what a container may do. */
export function composeFindings(
  services: ComposedFile,
  known: Record<Product, readonly string[]>,
  ports: Ports,
): string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const found: string[] = [];
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
    if (product) {
      const command = (service.command ?? []).filter((word) => !word.startsWith('--env-file='));
      if (!isCommand(command, product)) found.push(`runs ${command.join(' ')}`);
      if (!service.read_only || service.cap_drop?.join() !== 'ALL')
        found.push('may do more than it has to');
      const names = Object.keys(service.environment ?? {});
      // Makes the database's password too, for an image that is not ours.
      const read = [...known[product], ...(name === 'keys' ? ['POSTGRES_PASSWORD'] : [])];
      found.push(
        ...names.filter((one) => !read.includes(one)).map((one) => `sets ${one} for nobody`),
      );
    }
    if (SERVES.includes(name)) found.push(...healthFindings(service, ports[name] ?? []));
    return found.map((text) => `${name}: ${text}`);
  });
}
