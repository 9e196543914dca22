import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { StatusMark } from '../../ui/marks';
import { Page, Tabs } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import type { ListedAgent } from '../agents/agent-reason';
import type { Agent } from './agent';
import { AgentActions } from './agent-actions';
import { AgentNotice } from './agent-notice';
import { AgentOverview } from './agent-overview';

const Configuration = lazy(() =>
  import('./agent-configuration').then(({ AgentConfiguration }) => ({
    default: AgentConfiguration,
  })),
);
const Revisions = lazy(() =>
  import('./agent-revisions').then(({ AgentRevisions }) => ({ default: AgentRevisions })),
);
const Keys = lazy(() => import('./agent-keys').then(({ AgentKeys }) => ({ default: AgentKeys })));
const Runs = lazy(() => import('./agent-runs').then(({ AgentRuns }) => ({ default: AgentRuns })));

const UNLISTED = {
  errorReason: null,
  statusSince: null,
  consecutiveFailures: 0,
  currentRun: null,
  lastRun: null,
  issueCounts: {
    total: 0,
    open: 0,
    byStatus: {} as ListedAgent['issueCounts']['byStatus'],
  },
};

const TABS = ['overview', 'configuration', 'revisions', 'keys', 'runs'] as const;
type Tab = (typeof TABS)[number];

export function AgentScreen() {
  const { agent: agentId } = useParams({ from: '/$company/agents/$agent' });
  const agents = useAgents();
  const read = useRead('/api/agents/{agentId}', { path: { agentId } });
  const listed = agents.get(agentId) ?? (agents.all.length > 0 ? UNLISTED : undefined);
  const agent = read.data && listed ? { ...listed, ...read.data } : undefined;
  return (
    <Loading
      of={{ ...read, data: agent }}
      skeleton={<Page title={t('runs.agent')}>{<Skeleton />}</Page>}
    >
      {(each) => <LoadedAgent key={each.id} agent={each} />}
    </Loading>
  );
}

function LoadedAgent({ agent }: { agent: Agent }) {
  const { issuePrefix: company } = useCompany();
  const search = useSearch({ from: '/$company' });
  const tab = TABS.find((each) => each === search.tab) ?? 'overview';
  return (
    <Page
      title={agent.name}
      aside={
        <span className="flex items-center gap-2.5">
          <StatusMark of="agent" status={agent.status} isLabelled />
          <span className="truncate max-md:hidden">{agent.title ?? agent.role}</span>
        </span>
      }
      actions={<AgentActions agent={agent} />}
      toolbar={
        <div className="-mx-2 max-w-full overflow-x-auto px-2">
          <Tabs
            tabs={TABS.map((each) => ({
              label: t(`agent.tab.${each}`),
              link: {
                to: '/$company/agents/$agent',
                params: { company, agent: agent.id },
                search: each === 'overview' ? {} : { tab: each },
              },
            }))}
          />
        </div>
      }
    >
      <AgentNotice agent={agent} />
      <Suspense fallback={<Skeleton />}>
        <TabContent tab={tab} agent={agent} />
      </Suspense>
    </Page>
  );
}

function TabContent({ tab, agent }: { tab: Tab; agent: Agent }) {
  switch (tab) {
    case 'configuration':
      return <Configuration agent={agent} />;
    case 'revisions':
      return <Revisions agent={agent} />;
    case 'keys':
      return <Keys agentId={agent.id} />;
    case 'runs':
      return <Runs agentId={agent.id} />;
    default:
      return <AgentOverview agent={agent} />;
  }
}
