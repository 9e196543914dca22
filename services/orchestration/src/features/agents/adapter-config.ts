import { type FieldProblem, invalid } from '@switchyard/server';
import type { AdapterRegistry } from '../../adapters/agents/adapter-registry';

/** What a configuration lacks against the strict schema of its adapter (guarantee G24), field by field. */
export function adapterConfigProblems(
  adapters: AdapterRegistry,
  type: string,
  config: Record<string, unknown>,
): FieldProblem[] {
  const adapter = adapters.get(type);
  if (!adapter) {
    const message = `must be one of ${adapters.types.join(', ')}`;
    return [{ path: ['adapterType'], message, code: 'custom' }];
  }
  const parsed = adapter.configSchema.safeParse(config);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue): FieldProblem[] => {
    const inside = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    const path = ['adapterConfig', ...inside];
    if (issue.code !== 'unrecognized_keys') {
      return [{ path, message: issue.message, code: issue.code }];
    }
    return issue.keys.slice(0, 20).map((key) => ({
      path: [...path, key.slice(0, 100)],
      message: 'unknown field',
      code: issue.code,
    }));
  });
}

/** @throws Refusal 400 naming the fields inside `adapterConfig` */
export function checkAdapterConfig(
  adapters: AdapterRegistry,
  type: string,
  config: Record<string, unknown>,
): void {
  const problems = adapterConfigProblems(adapters, type, config);
  if (problems.length > 0) throw invalid(problems);
}
