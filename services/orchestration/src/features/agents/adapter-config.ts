import { invalid, invalidField } from '@switchyard/server';
import type { AdapterRegistry } from '../../adapters/agents/adapter-registry';

/**
 * Checks a configuration against the strict schema of its adapter (guarantee G24).
 * @throws Refusal 400 naming the field inside `adapterConfig`
 */
export function checkAdapterConfig(
  adapters: AdapterRegistry,
  type: string,
  config: Record<string, unknown>,
): void {
  const adapter = adapters.get(type);
  if (!adapter) {
    throw invalidField('adapterType', `must be one of ${adapters.types.join(', ')}`);
  }
  const parsed = adapter.configSchema.safeParse(config);
  if (parsed.success) return;
  throw invalid(
    parsed.error.issues.map((issue) => ({
      path: [
        'adapterConfig',
        ...issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      ],
      message:
        issue.code === 'unrecognized_keys' ? `unknown field ${issue.keys[0]}` : issue.message,
      code: issue.code,
    })),
  );
}
