import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { writeContainerKeys } from '../../services/orchestration/src/settings/container-keys';
import { type Labels, ROOT } from './manifest';

export interface Composed {
  image?: string;
  build?: { context: string; dockerfile: string };
  pull_policy?: string;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  profiles?: string[];
  scale?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  read_only?: boolean;
  cap_drop?: string[];
  pids_limit?: number;
  mem_limit?: string;
  logging?: { options?: Record<string, string> };
  tmpfs?: string[];
  stop_grace_period?: string;
}

export type ComposedFile = Record<string, Composed>;
export type Product = 'orchestration' | 'metrics';

function interpolate(text: string, env: Labels): string {
  const inner = /\$\{([A-Z0-9_]+):-([^${}]*)\}/g;
  const filled = text.replace(inner, (_, name, otherwise) => env[name] || otherwise);
  return filled === text ? text : interpolate(filled, env);
}

export const published = (env: Labels = {}): ComposedFile => read('docker-compose.yml', env);

export function composed(env: Labels = {}): ComposedFile {
  const services = published(env);
  for (const [name, own] of Object.entries(read('docker-compose.override.yml', env)))
    services[name] = { ...services[name], ...own };
  return services;
}

function read(file: string, env: Labels): ComposedFile {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return parse(text, (_, value) => (typeof value === 'string' ? interpolate(value, env) : value), {
    merge: true,
  }).services;
}

export function productOf({ image }: Composed): Product | undefined {
  const name = /^switchyard-(orchestration|runner|metrics):/.exec(image ?? '')?.[1];
  return name === 'runner' ? 'orchestration' : (name as Product | undefined);
}

export const mountsOf = ({ volumes = [] }: Composed) =>
  volumes.map((text) => {
    const [volume, place, mode] = text.split(':') as [string, string, string?];
    return { volume, place, isReadOnly: mode === 'ro' };
  });

export function keyFiles(services: ComposedFile): Labels {
  const place = mkdtempSync(join(tmpdir(), 'compose-keys-'));
  const keys = services.keys as Composed;
  const [folder, handedOut] = (keys.command ?? []).slice(-2) as [string, string];
  try {
    writeContainerKeys(keys.environment ?? {}, join(place, folder), join(place, handedOut));
    return readFiles(keys, place);
  } finally {
    rmSync(place, { recursive: true });
  }
}

function readFiles(keys: Composed, place: string): Labels {
  return Object.fromEntries(
    mountsOf(keys).flatMap((mount) =>
      readdirSync(join(place, mount.place)).map((name) => [
        `${mount.volume}/${name}`,
        readFileSync(join(place, mount.place, name), 'utf8'),
      ]),
    ),
  );
}

export function fileOf(service: Composed, files: Labels, file: string): string | undefined {
  const mount = mountsOf(service).find(({ place }) => file.startsWith(`${place}/`));
  return mount && files[`${mount.volume}/${file.slice(mount.place.length + 1)}`];
}

export function environmentOf(
  service: Composed,
  files: Labels,
): Record<string, string | undefined> {
  const words = [...(service.entrypoint ?? []), ...(service.command ?? [])];
  const file = words.find((word) => word.startsWith('--env-file='))?.slice(11);
  const text = file && fileOf(service, files, file);
  return { ...(text ? parseEnv(text) : {}), ...service.environment };
}
