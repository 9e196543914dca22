import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Button } from '../../ui/button';
import { Page, Tabs } from '../../ui/page';
import { Rows } from '../../ui/rows';
import { Empty, Loading } from '../../ui/states';
import type { ListedAgent } from './agent-reason';
import { AgentRow } from './agent-row';
import { useAgentActions } from './use-agent-actions';

const NewAgent = lazy(() => import('./new-agent').then(({ NewAgent }) => ({ default: NewAgent })));

const TABS = {
  all: () => true,
  active: ({ status }: ListedAgent) => status === 'running' || status === 'idle',
  paused: ({ status }: ListedAgent) => status === 'paused',
  error: ({ status }: ListedAgent) => status === 'error',
} as const;
type Tab = keyof typeof TABS;

export function AgentsScreen() {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const search = useSearch({ from: '/$company' });
  const tab = search.tab && search.tab in TABS ? (search.tab as Tab) : 'all';
  const isNarrow = useIsNarrow();
  const mayWrite = useMayWrite();
  const actions = useAgentActions();
  const [isHiring, setHiring] = useState(false);
  const agents = usePages('/api/companies/{companyId}/agents', {
    path: { companyId },
    query: { limit: 500 },
  });
  const counted = agents.hasNextPage ? undefined : agents.items;
  const hire = mayWrite && (
    <Button tone="primary" icon={Plus} onClick={() => setHiring(true)}>
      {t('agents.new')}
    </Button>
  );
  return (
    <Page
      title={t('nav.agents')}
      actions={hire}
      toolbar={
        <Tabs
          tabs={(Object.keys(TABS) as Tab[]).map((each) => ({
            label: t(`agents.tab.${each}`),
            count: counted?.filter(TABS[each]).length,
            link: {
              to: '/$company/agents',
              params: { company },
              search: each === 'all' ? {} : { tab: each },
            },
          }))}
        />
      }
    >
      <Loading of={{ ...agents, data: agents.items }}>
        {(items) => {
          const shown = items.filter(TABS[tab]);
          if (items.length === 0) {
            return (
              <Empty icon={Bot} title={t('agents.empty')} action={hire}>
                {t('agents.emptyText')}
              </Empty>
            );
          }
          if (shown.length === 0) return <Empty icon={Bot} title={t('agents.emptyTab')} />;
          return (
            <Rows
              label={t('nav.agents')}
              rows={shown}
              idOf={({ id }) => id}
              height={isNarrow ? 76 : 44}
              onEnd={() => {
                if (agents.hasNextPage && !agents.isFetchingNextPage) void agents.fetchNextPage();
              }}
              onOpen={({ id: agent }) =>
                void navigate({ to: '/$company/agents/$agent', params: { company, agent } })
              }
              render={(agent) => (
                <AgentRow agent={agent} actions={mayWrite ? actions : undefined} />
              )}
            />
          );
        }}
      </Loading>
      <Suspense>{isHiring && <NewAgent onClose={() => setHiring(false)} />}</Suspense>
    </Page>
  );
}
