import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCompany } from '../../data/company';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/states';
import { Ago } from '../../ui/time';
import { reasonOf } from '../agents/agent-reason';
import { useAgentActions } from '../agents/use-agent-actions';
import type { Agent } from './agent';
import { BudgetDialog } from './budget-dialog';

export function AgentNotice({ agent }: { agent: Agent }) {
  const { issuePrefix: company } = useCompany();
  const mayWrite = useMayWrite();
  const { resume } = useAgentActions();
  const [isRaising, setRaising] = useState(false);
  const isOutOfBudget = agent.pauseReason === 'budget';
  const resumeButton = mayWrite && (
    <Button
      isBusy={resume.isPending}
      onClick={() => (isOutOfBudget ? setRaising(true) : resume.mutate(agent))}
    >
      {t(isOutOfBudget ? 'agent.raiseBudget' : 'agents.resume')}
    </Button>
  );
  const since = agent.statusSince && (
    <>
      {' · '}
      <Ago at={agent.statusSince} />
    </>
  );
  return (
    <div className="px-4 pt-4 empty:hidden">
      {agent.status === 'paused' && (
        <Notice tone={agent.pauseReason === 'manual' ? 'warn' : 'bad'} action={resumeButton}>
          {t('agent.pausedNote', { reason: reasonOf(agent) })}
          {since}
        </Notice>
      )}
      {agent.status === 'error' && (
        <Notice tone="bad" action={resumeButton}>
          {t('agent.errorNote', { reason: agent.errorReason ?? t('run.noError') })}
          {since}
        </Notice>
      )}
      {agent.status === 'pending_approval' && (
        <Notice
          tone="live"
          action={
            <Link
              to="/$company/approvals"
              params={{ company }}
              className="font-medium hover:underline"
            >
              {t('agent.hireOpen')}
            </Link>
          }
        >
          {t('agent.hireNote')}
        </Notice>
      )}
      {agent.status === 'terminated' && <Notice>{t('agent.terminatedNote')}</Notice>}
      {isRaising && (
        <BudgetDialog
          agent={agent}
          onClose={() => setRaising(false)}
          onSaved={() => resume.mutate(agent)}
        />
      )}
    </div>
  );
}
