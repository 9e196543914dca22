import { refusalOf, refusedVariables } from '@switchyard/runner/agents/environment/agent-variables';
import { isAllowedPath } from '@switchyard/runner/repositories/allowed-folder';
import { check, type FieldProblem, invalid, unprocessable } from '@switchyard/server';
import { adapterAliases } from '@switchyard/types';
import type { AdapterRegistry } from '../../../adapters/agents/adapter-registry';
import type { Call } from '../../../kernel/call';

export function checkAdapterConfig(
  call: Call,
  type: string,
  config: Record<string, unknown>,
): void {
  const problems = configurationProblems(call.context.adapters, type, config);
  if (problems.length > 0) throw invalid(problems);
  assertAllowedConfig(call, type, config);
}

export function configurationProblems(
  adapters: AdapterRegistry,
  type: string,
  config: Record<string, unknown>,
): FieldProblem[] {
  const problems = adapterConfigProblems(adapters, type, config);
  return problems.length > 0 ? problems : variableProblems(adapters, type, config);
}

export function adapterConfigProblems(
  adapters: AdapterRegistry,
  type: string,
  config: Record<string, unknown>,
): FieldProblem[] {
  const adapter = adapters.get(type);
  if (!adapter) {
    const message = `must be one of ${adapters.types.map(withAliases).join(', ')}`;
    return [{ path: ['adapterType'], message, code: 'custom' }];
  }
  const checked = check(adapter.configSchema, config);
  if ('data' in checked) return [];
  return checked.problems.map((problem) => ({
    ...problem,
    path: ['adapterConfig', ...problem.path],
  }));
}

const withAliases = (type: string): string => [...adapterAliases(type), type].join(' = ');

function variableProblems(
  adapters: AdapterRegistry,
  type: string,
  config: Record<string, unknown>,
): FieldProblem[] {
  const allowed = adapters.get(type)?.allowedVariables ?? 'any';
  return refusedVariables(allowed, Object.keys(config.env ?? {})).map((name) => ({
    path: ['adapterConfig', 'env', name],
    message: refusalOf(name),
    code: 'variable_not_allowed',
  }));
}

/**
 * Checks the configuration against the operator's current settings. Each run checks again, because
 * the settings may have become stricter.
 * @throws ApiError 422 naming the field
 */
export function assertAllowedConfig(
  { context, companyId }: Pick<Call, 'context' | 'companyId'>,
  type: string,
  config: Record<string, unknown>,
): void {
  const { cwd } = config;
  const { workspaceRoots } = context.config.repositories;
  if (typeof cwd === 'string' && !isAllowedPath(workspaceRoots, companyId, cwd)) {
    const text =
      'cwd must be an absolute path in a directory that WORKSPACE_ROOTS allows for the company';
    throw unprocessable('semantic_error', text, { field: 'adapterConfig.cwd' });
  }
  const adapter = context.adapters.get(type);
  const forbidden = adapter?.forbids?.(adapter.configSchema.parse(config), companyId);
  if (!forbidden) return;
  const field = `adapterConfig.${forbidden.field}`;
  throw unprocessable('semantic_error', `${field}: ${forbidden.text}`, { field });
}
