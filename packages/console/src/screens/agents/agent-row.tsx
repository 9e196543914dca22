import { Link } from '@tanstack/react-router';
import { Pause, Play, StepForward } from 'lucide-react';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { IconButton } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import type { Heads } from '../../ui/list-screen';
import { Avatar, StatusMark } from '../../ui/marks';
import { Ago } from '../../ui/time';
import { type ListedAgent, reasonOf } from './agent-reason';
import { AgentSpend } from './agent-spend';
import type { useAgentActions } from './use-agent-actions';

const CELLS = {
  name: 'w-56 min-w-0 shrink-0',
  manager: 'w-28 shrink-0 max-xl:hidden',
  adapter: 'w-24 shrink-0 max-xl:hidden',
  spend: 'w-36 shrink-0 max-lg:hidden',
  lastRun: 'w-24 shrink-0 text-right',
};

export const agentHeads = (hasActions: boolean): Heads => [
  ['', 'w-6'],
  [t('run.agent'), CELLS.name],
  [t('issue.status'), 'flex-1'],
  [t('agent.reportsTo'), CELLS.manager],
  [t('agent.adapter'), CELLS.adapter],
  [t('agents.spentThisMonth'), CELLS.spend],
  [t('agents.lastRun'), CELLS.lastRun],
  ...(hasActions ? ([['', 'w-16']] as const) : []),
];

interface AgentRowProps {
  agent: ListedAgent;
  managerName: string | undefined;
  actions: ReturnType<typeof useAgentActions> | undefined;
}

export function AgentRow({ agent, managerName, actions }: AgentRowProps) {
  const { issuePrefix: company } = useCompany();
  const reason = reasonOf(agent);
  return (
    <div className="flex h-full items-center gap-3 px-4 max-md:flex-wrap max-md:gap-x-2.5 max-md:gap-y-1 max-md:py-2">
      <Avatar name={agent.name} size={24} />
      <Link
        to="/$company/agents/$agent"
        params={{ company, agent: agent.id }}
        className={classNames(
          CELLS.name,
          'flex min-h-6 items-center gap-2 max-md:w-auto max-md:flex-1',
        )}
      >
        <span className="max-w-full shrink-0 truncate font-medium">{agent.name}</span>
        <span className="truncate text-sm text-muted">{agent.title ?? agent.role}</span>
      </Link>
      <span className="flex min-w-0 flex-1 items-center gap-2 max-md:order-last max-md:basis-full">
        <StatusMark of="agent" status={agent.status} isLabelled className="shrink-0 text-sm" />
        <span
          title={reason}
          className={`min-w-0 truncate text-sm ${agent.status === 'error' ? 'text-bad' : 'text-muted'}`}
        >
          {reason ?? <Doing agent={agent} />}
        </span>
      </span>
      <span className={classNames(CELLS.manager, 'truncate text-sm text-muted')}>
        {managerName}
      </span>
      <span className={classNames(CELLS.adapter, 'truncate text-sm text-muted')}>
        {word('adapter', agent.adapterType)}
      </span>
      <span className={CELLS.spend}>
        <AgentSpend {...agent} />
      </span>
      <span className={classNames(CELLS.lastRun, 'text-sm max-md:w-auto')}>
        <LastRun agent={agent} />
      </span>
      {actions && <RowActions agent={agent} actions={actions} />}
    </div>
  );
}

function Doing({ agent: { currentRun, lastRun } }: { agent: ListedAgent }) {
  const { issuePrefix: company } = useCompany();
  if (!currentRun) return lastRun ? null : t('agents.never');
  return (
    <Link
      to="/$company/runs/$run"
      params={{ company, run: currentRun.id }}
      className="hover:underline"
    >
      {currentRun.issue
        ? `${currentRun.issue.identifier} ${currentRun.issue.title}`
        : t('agents.running')}
    </Link>
  );
}

function LastRun({ agent: { lastRun } }: { agent: ListedAgent }) {
  const { issuePrefix: company } = useCompany();
  if (!lastRun?.finishedAt) return null;
  return (
    <Link
      to="/$company/runs/$run"
      params={{ company, run: lastRun.id }}
      title={t('agents.lastRun')}
      className="inline-flex min-h-6 items-center gap-1.5 whitespace-nowrap text-muted hover:underline"
    >
      <StatusMark of="run" status={lastRun.status} />
      <Ago at={lastRun.finishedAt} />
    </Link>
  );
}

function RowActions({
  agent,
  actions,
}: {
  agent: ListedAgent;
  actions: NonNullable<AgentRowProps['actions']>;
}) {
  const isStopped = agent.status === 'paused' || agent.status === 'error';
  const isGone = agent.status === 'terminated' || agent.status === 'pending_approval';
  return (
    <span className="flex w-16 shrink-0 justify-end">
      {!isGone && (
        <>
          <IconButton
            icon={Play}
            label={`${t('agents.runNow')}: ${agent.name}`}
            disabled={agent.status === 'paused'}
            onClick={() => actions.invoke.mutate({ agent })}
          />
          {isStopped ? (
            <IconButton
              icon={StepForward}
              label={`${t('agents.resume')}: ${agent.name}`}
              onClick={() => actions.resume.mutate(agent)}
            />
          ) : (
            <IconButton
              icon={Pause}
              label={`${t('agents.pause')}: ${agent.name}`}
              onClick={() => actions.pause.mutate(agent)}
            />
          )}
        </>
      )}
    </span>
  );
}
