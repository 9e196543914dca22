import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useCompany } from '../../data/company';
import { byName, useListedAgents } from '../../data/directory';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { ListScreen } from '../../ui/list-screen';
import { Tabs } from '../../ui/page';
import { Empty } from '../../ui/states';
import type { ListedAgent } from './agent-reason';
import { AgentRow, agentHeads } from './agent-row';
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
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const search = useSearch({ from: '/$company' });
  const tab = search.tab && search.tab in TABS ? (search.tab as Tab) : 'all';
  const mayWrite = useMayWrite();
  const actions = useAgentActions();
  const [isHiring, setHiring] = useState(false);
  const [wanted, setWanted] = useState('');
  const agents = useListedAgents();
  const all = useMemo(() => agents.data && byName(agents.data), [agents.data]);
  const nameOf = new Map(all?.map(({ id, name }) => [id, name]));
  const hire = mayWrite && (
    <Button tone="primary" icon={Plus} onClick={() => setHiring(true)}>
      {t('agents.new')}
    </Button>
  );
  return (
    <ListScreen
      title={t('nav.agents')}
      actions={hire}
      toolbar={
        <>
          <Tabs
            tabs={(Object.keys(TABS) as Tab[]).map((each) => ({
              label: t(`agents.tab.${each}`),
              count: all?.filter(TABS[each]).length,
              link: {
                to: '/$company/agents',
                params: { company },
                search: each === 'all' ? {} : { tab: each },
              },
            }))}
          />
          <span className="flex-1" />
          <Input
            type="search"
            aria-label={t('agents.find')}
            placeholder={t('agents.find')}
            className="w-56 max-md:w-full"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        </>
      }
      of={agents}
      rows={all}
      shown={all?.filter(TABS[tab]).filter((agent) => isNamed(agent, wanted))}
      heights={[44, 76]}
      heads={agentHeads(mayWrite)}
      empty={
        <Empty icon={Bot} title={t('agents.empty')} action={hire}>
          {t('agents.emptyText')}
        </Empty>
      }
      noMatch={<Empty icon={Bot} title={t('agents.emptyTab')} />}
      onOpen={({ id: agent }) =>
        void navigate({ to: '/$company/agents/$agent', params: { company, agent } })
      }
      render={(agent) => (
        <AgentRow
          agent={agent}
          managerName={nameOf.get(agent.reportsTo ?? '')}
          actions={mayWrite ? actions : undefined}
        />
      )}
    >
      <Suspense>{isHiring && <NewAgent onClose={() => setHiring(false)} />}</Suspense>
    </ListScreen>
  );
}

const isNamed = ({ name, title, role }: ListedAgent, wanted: string) =>
  `${name} ${title ?? ''} ${role}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase());
