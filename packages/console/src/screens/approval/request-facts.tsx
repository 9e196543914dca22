import type { ReactNode } from 'react';
import type { Schemas } from '../../data/api';
import { useAgents } from '../../data/directory';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Facts } from '../../ui/page';
import { Ago } from '../../ui/time';
import { commandLine, hireOf, literalsOf, secretsOf } from './hire';

type Approval = Schemas['Approval'];

export function RequestFacts({ approval }: { approval: Approval }) {
  const agents = useAgents();
  const asker = agents.get(approval.requestedByAgentId)?.name ?? t('approval.aPerson');
  if (approval.type === 'hire_agent') return <HireFacts approval={approval} asker={asker} />;
  return <Facts facts={[[t('approval.askedBy'), asker], askedAt(approval)]} />;
}

const askedAt = ({ createdAt }: Approval) =>
  [t('approvals.asked'), <Ago key="asked" at={createdAt} />] as const;

export const bodyOf = ({ payload: { body, strategy, reason } }: Approval): string =>
  ([body, strategy, reason].find((text) => typeof text === 'string') as string | undefined) ?? '';

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
  const { command: _, args: __, env, ...settings } = hire.adapterConfig;
  const secrets = useRead(
    '/api/companies/{companyId}/secrets',
    { path: { companyId: approval.companyId } },
    { enabled: secretsOf(env).length > 0 },
  );
  const read = secretsOf(env).map(
    (id) => secrets.data?.find((secret) => secret.id === id)?.name ?? t('approval.aSecret'),
  );
  const as = hire.title === null ? hire.role : `${hire.title} (${hire.role})`;
  return (
    <>
      <p className="mb-3">
        {t('approval.hireSentence', {
          asker,
          name: hire.name,
          as,
          manager: manager ?? t('agent.nobody'),
          adapter: hire.adapterType ? word('adapter', hire.adapterType) : t('approval.noAdapter'),
          budget:
            hire.budgetMonthlyCents === 0
              ? t('approval.noBudget')
              : `${formatCents(hire.budgetMonthlyCents)} ${t('money.perMonth')}`,
        })}
      </p>
      <Facts
        facts={[
          askedAt(approval),
          command !== '' && [t('approval.command'), <Code key="command">{command}</Code>],
          [t('approval.mayRead'), read.length > 0 ? read.join(', ') : t('approval.noSecrets')],
          Object.keys(literalsOf(env)).length > 0 && [
            t('approval.variables'),
            <Code key="env">
              {Object.entries(literalsOf(env))
                .map(([name, value]) => `${name}=${value}`)
                .join('\n')}
            </Code>,
          ],
          Object.keys(settings).length > 0 && [
            t('approval.settings'),
            <Code key="settings">{JSON.stringify(settings, null, 2)}</Code>,
          ],
          hire.capabilities !== null && [t('field.capabilities'), hire.capabilities],
          [t('agent.wakes'), t(hire.wakeOnAssignment ? 'agent.yes' : 'agent.no')],
        ]}
      />
    </>
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
