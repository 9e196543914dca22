import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from './manifest';

type Model = new (data: object) => { validate(): void };

const modelsOf = (name: string) => dirname(require.resolve(`${name}/package.json`));
const SOURCES = [
  modelsOf('kubernetes-models'),
  modelsOf('@kubernetes-models/gateway-api'),
  modelsOf('@kubernetes-models/keda'),
  modelsOf('@kubernetes-models/prometheus-operator'),
];

function modelOf({ apiVersion, kind }: Manifest): Model | null {
  const file = SOURCES.map((source) => join(source, apiVersion, `${kind}.js`)).find(existsSync);
  return file ? (require(file)[kind] as Model) : null;
}

function watched<T>(data: T, seen: Set<string>, path = ''): T {
  if (data === null || typeof data !== 'object') return data;
  return new Proxy(data, {
    get: (target, key) => {
      const value = Reflect.get(target, key);
      if (typeof key !== 'string') return value;
      seen.add(`${path}/${key}`);
      return watched(value, seen, `${path}/${key}`);
    },
  });
}

function paths(data: unknown, path = ''): string[] {
  if (data === null || typeof data !== 'object') return [];
  return Object.entries(data).flatMap(([key, value]) => [
    `${path}/${key}`,
    ...paths(value, `${path}/${key}`),
  ]);
}

/**
 * Checks manifests against the published schemas: missing, wrong and unknown fields. The API server
 * drops or rejects unknown fields, so a misspelt probe would have no effect.
 */
export function schemaFindings(manifests: Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const name = `${manifest.kind} ${manifest.metadata.name}`;
    const model = modelOf(manifest);
    if (!model) return [`${name}: there is no schema for ${manifest.apiVersion}`];
    const seen = new Set<string>();
    try {
      const built = new model(manifest);
      built.validate.call(watched(built, seen));
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
    const unknown = paths(manifest).filter((path) => !seen.has(path));
    return unknown.map((path) => `${name}: ${path} is unknown`);
  });
}
