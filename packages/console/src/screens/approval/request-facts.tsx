import type { ReactNode } from 'react';
import type { Schemas } from '../../data/api';
import { useAgents } from '../../data/directory';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Facts } from '../../ui/page';
import { commandLine, hireOf } from './hire';

type Approval = Schemas['Approval'];

export function RequestFacts({ approval }: { approval: Approval }) {
  const agents = useAgents();
  const asker = agents.get(approval.requestedByAgentId)?.name ?? t('approval.aPerson');
  if (approval.type === 'hire_agent') return <HireFacts approval={approval} asker={asker} />;
  return <Facts facts={[[t('approval.askedBy'), asker]]} />;
}

export function RequestFactsOf({ approvalId }: { approvalId: string }) {
  const approval = useRead('/api/approvals/{approvalId}', { path: { approvalId } });
  return approval.data ? <RequestFacts approval={approval.data} /> : null;
}

function HireFacts({ approval, asker }: { approval: Approval; asker: string }) {
  const agents = useAgents();
  const draftId = String(approval.payload.agentId);
  const draft = useRead('/api/agents/{agentId}', { path: { agentId: draftId } });
  const hire = hireOf(approval, draft.data);
  const manager = agents.get(hire.reportsTo)?.name;
  const command = commandLine(hire.adapterConfig);
  const { command: _, args: __, ...settings } = hire.adapterConfig;
  return (
    <Facts
      facts={[
        [t('approval.askedBy'), asker],
        [t('field.name'), hire.name],
        [t('field.role'), hire.role],
        hire.title !== null && [t('field.title'), hire.title],
        [t('agent.reportsTo'), manager ?? t('agent.nobody')],
        [t('agent.runsOn'), hire.adapterType ?? t('approval.noAdapter')],
        command !== '' && [t('approval.command'), <Code key="command">{command}</Code>],
        Object.keys(settings).length > 0 && [
          t('approval.settings'),
          <Code key="settings">{JSON.stringify(settings, null, 2)}</Code>,
        ],
        [
          t('agent.budget'),
          hire.budgetMonthlyCents === 0
            ? t('money.unlimited')
            : `${formatCents(hire.budgetMonthlyCents)} ${t('money.perMonth')}`,
        ],
        hire.capabilities !== null && [t('field.capabilities'), hire.capabilities],
        [t('agent.wakes'), t(hire.wakeOnAssignment ? 'agent.yes' : 'agent.no')],
      ]}
    />
  );
}

const Code = ({ children }: { children: ReactNode }) => (
  <code className="block rounded border border-line bg-sunken px-2 py-1 font-mono text-xs break-all whitespace-pre-wrap">
    {children}
  </code>
);

export function titleOf({ type, payload }: Approval): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  if (type !== 'hire_agent') return text(payload.title) ?? word('approvalType', type);
  const name = text(payload.name) ?? word('approvalType', type);
  const as = text(payload.title) ?? text(payload.role);
  return as ? t('approval.hireAs', { name, as }) : name;
}
