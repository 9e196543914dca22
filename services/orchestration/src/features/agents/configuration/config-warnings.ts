import type { AgentDetailView, AgentWarning, SavedAgentView } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { configurationProblems } from './adapter-config';

export function withWarnings(call: Call, agent: AgentDetailView): SavedAgentView {
  return { ...agent, warnings: agentWarnings(call, agent) };
}

export function agentWarnings(
  { context }: Pick<Call, 'context'>,
  { companyId, adapterType, adapterConfig }: AgentDetailView,
): AgentWarning[] {
  const problems = configurationProblems(context.adapters, adapterType, adapterConfig);
  if (problems.length > 0) {
    return problems.map(({ path, message, code }) =>
      code === 'variable_not_allowed'
        ? { code, message, setting: 'AGENT_VARIABLES' }
        : { code: 'bad_config', message: `${path.join('.')}: ${message}` },
    );
  }
  const adapter = context.adapters.get(adapterType);
  return adapter?.warnings?.(adapter.configSchema.parse(adapterConfig), companyId) ?? [];
}
