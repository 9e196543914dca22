import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { Progress } from '../../ui/figures/progress';
import { StatusMark } from '../../ui/marks';
import { Facts, Panel, Section } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import { Ago, Elapsed } from '../../ui/time';
import { nameOfRun } from '../runs/run-name';
import type { Agent } from './agent';
import { BudgetDialog } from './budget-dialog';

export function AgentOverview({ agent }: { agent: Agent }) {
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-x-8 px-4 py-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="min-w-0">
        <Now agent={agent} />
        <LatestRuns agent={agent} />
        {agent.capabilities && (
          <Section title={t('agent.capabilities')}>
            <p className="whitespace-pre-wrap">{agent.capabilities}</p>
          </Section>
        )}
      </div>
      <div>
        <Budget agent={agent} />
        <About agent={agent} />
      </div>
    </div>
  );
}

function Now({ agent: { currentRun } }: { agent: Agent }) {
  const { issuePrefix: company } = useCompany();
  return (
    <Section title={t('agent.now')}>
      {currentRun ? (
        <Link
          to="/$company/runs/$run"
          params={{ company, run: currentRun.id }}
          className="flex items-center gap-2.5 rounded-lg border border-live/40 bg-live-soft px-3 py-2 hover:underline"
        >
          <StatusMark of="run" status="running" />
          <span className="min-w-0 flex-1 truncate font-medium">
            {currentRun.issue
              ? `${currentRun.issue.identifier} ${currentRun.issue.title}`
              : t('agents.running')}
          </span>
          {currentRun.startedAt && (
            <Elapsed from={currentRun.startedAt} className="text-sm text-muted" />
          )}
        </Link>
      ) : (
        <p className="text-sm text-muted">{t('agent.noRun')}</p>
      )}
    </Section>
  );
}

function LatestRuns({ agent }: { agent: Agent }) {
  const { id: companyId, issuePrefix: company } = useCompany();
  const runs = useRead('/api/companies/{companyId}/heartbeat-runs', {
    path: { companyId },
    query: { agentId: agent.id, limit: 8 },
  });
  const all = (
    <Link
      to="/$company/runs"
      params={{ company }}
      search={{ agent: agent.id }}
      className="text-accent hover:underline"
    >
      {t('agent.allRuns')}
    </Link>
  );
  return (
    <Section title={t('agent.recentRuns')} aside={all}>
      <Panel>
        <Loading of={runs} skeleton={<Skeleton rows={4} height={36} />}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="px-3 py-3 text-sm text-muted">{t('runs.empty')}</p>
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((run) => (
                  <li key={run.id}>
                    <Link
                      to="/$company/runs/$run"
                      params={{ company, run: run.id }}
                      className="flex min-h-9 items-center gap-2.5 px-3 hover:bg-hover"
                    >
                      <StatusMark of="run" status={run.status} />
                      <span className="min-w-0 flex-1 truncate">{nameOfRun(run)}</span>
                      {run.startedAt && (
                        <Elapsed
                          from={run.startedAt}
                          to={run.finishedAt}
                          className="shrink-0 text-sm text-muted"
                        />
                      )}
                      <Ago
                        at={run.startedAt ?? run.createdAt}
                        className="w-20 shrink-0 text-right text-sm whitespace-nowrap text-muted"
                      />
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Loading>
      </Panel>
    </Section>
  );
}

function Budget({ agent }: { agent: Agent }) {
  const mayWrite = useMayWrite();
  const [isEditing, setEditing] = useState(false);
  const { spentMonthlyCents: spent, budgetMonthlyCents: budget } = agent;
  const words = { spent: formatCents(spent), budget: formatCents(budget) };
  return (
    <Section
      title={t('agent.budget')}
      aside={
        mayWrite &&
        agent.status !== 'terminated' && (
          <Button tone="quiet" icon={Pencil} onClick={() => setEditing(true)}>
            {t('action.edit')}
          </Button>
        )
      }
    >
      <p className="mb-1.5 text-sm">
        {t(budget === 0 ? 'agents.spendUnlimited' : 'agents.spend', words)}
      </p>
      {budget > 0 && (
        <Progress
          done={spent}
          total={budget}
          tone={spent >= budget ? 'bad' : spent >= budget * 0.8 ? 'warn' : 'accent'}
        />
      )}
      {isEditing && <BudgetDialog agent={agent} onClose={() => setEditing(false)} />}
    </Section>
  );
}

function About({ agent }: { agent: Agent }) {
  const { issuePrefix: company } = useCompany();
  const manager = agent.chainOfCommand[0];
  return (
    <Section title={t('agent.facts')}>
      <Facts
        facts={[
          [t('agent.role'), agent.role],
          agent.title !== null && [t('agent.titleField'), agent.title],
          [
            t('agent.reportsTo'),
            manager ? (
              <Link
                key="manager"
                to="/$company/agents/$agent"
                params={{ company, agent: manager.id }}
                className="text-accent hover:underline"
              >
                {manager.name}
              </Link>
            ) : (
              t('agent.nobody')
            ),
          ],
          [t('agent.runsOn'), agent.adapterType],
          [t('agent.parallel'), String(agent.maxConcurrentRuns)],
          agent.limitKeys.length > 0 && [t('agent.limitKeys'), agent.limitKeys.join(', ')],
          [t('agent.wakes'), t(agent.wakeOnAssignment ? 'agent.yes' : 'agent.no')],
          [
            t('agent.issues'),
            <Link
              key="issues"
              to="/$company/issues"
              params={{ company }}
              search={{ assignee: `agent:${agent.id}` }}
              className="text-accent hover:underline"
            >
              {agent.issueCounts.open}
            </Link>,
          ],
          [
            t('agent.lastHeartbeat'),
            agent.lastHeartbeatAt ? (
              <Ago key="heartbeat" at={agent.lastHeartbeatAt} />
            ) : (
              t('agents.never')
            ),
          ],
        ]}
      />
    </Section>
  );
}
