import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { showToast } from '../../ui/toast';
import type { ListedAgent } from './agent-reason';

type Named = Pick<ListedAgent, 'id' | 'name'>;

export function useAgentActions() {
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const pathOf = (agent: Named) => ({ path: { agentId: agent.id } });
  const invoke = useSend(
    ({ agent, ...body }: { agent: Named; reason?: string; issueId?: string }) =>
      unwrap(
        api.POST('/api/agents/{agentId}/heartbeat/invoke', {
          params: pathOf(agent),
          body,
        }),
      ),
    {
      onDone: ({ id: run }, { agent }) =>
        showToast({
          text: t('agents.invoked', { name: agent.name }),
          action: {
            label: t('agents.openRun'),
            run: () => void navigate({ to: '/$company/runs/$run', params: { company, run } }),
          },
        }),
    },
  );
  const pause = useSend(
    (agent: Named) => unwrap(api.POST('/api/agents/{agentId}/pause', { params: pathOf(agent) })),
    {
      optimistic: ({ id }) => ({ id, changes: { status: 'paused', pauseReason: 'manual' } }),
    },
  );
  const resume = useSend(
    (agent: Named) => unwrap(api.POST('/api/agents/{agentId}/resume', { params: pathOf(agent) })),
    {
      optimistic: ({ id }) => ({ id, changes: { status: 'idle', pauseReason: null } }),
    },
  );
  return { invoke, pause, resume };
}
