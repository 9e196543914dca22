import type { AgentAdapter } from '@switchyard/runner/agents/agent-adapter';
import { z } from 'zod';
import { createAdapterRegistry } from './adapter-registry';

const adapter = (type: string): AgentAdapter => ({
  type,
  configSchema: z.unknown(),
  run: async () => ({ status: 'succeeded', exitCode: 0 }),
});

test('createAdapterRegistry() finds an adapter only by its exact type', () => {
  const process = adapter('process');
  const registry = createAdapterRegistry([process, adapter('http')]);
  expect(registry.get('process')).toBe(process);
  for (const type of ['Process', '', '__proto__', 'constructor']) {
    expect(registry.get(type)).toBeUndefined();
  }
  expect(registry.types).toEqual(['process', 'http']);
});

test.each([
  ['claude_code', 'model_a_local'],
  ['codex', 'model_b_local'],
  ['opencode', 'model_c_local'],
])('createAdapterRegistry() accepts %s as an alias of %s', (alias, type) => {
  const tool = adapter(type);
  expect(createAdapterRegistry([tool]).get(alias)).toBe(tool);
});

test('createAdapterRegistry() rejects two adapters of the same type', () => {
  expect(() => createAdapterRegistry([adapter('http'), adapter('http')])).toThrow('http');
});
