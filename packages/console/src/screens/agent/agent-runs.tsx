import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { t } from '../../i18n';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Rows } from '../../ui/rows';
import { Empty, Loading } from '../../ui/states';
import { RunRow } from '../runs/run-row';

export function AgentRuns({ agentId }: { agentId: string }) {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const runs = usePages('/api/companies/{companyId}/heartbeat-runs', {
    path: { companyId },
    query: { agentId, limit: 100 },
  });
  return (
    <Loading of={{ ...runs, data: runs.items }}>
      {(items) =>
        items.length === 0 ? (
          <Empty icon={Play} title={t('runs.empty')}>
            {t('runs.emptyText')}
          </Empty>
        ) : (
          <Rows
            label={t('nav.runs')}
            rows={items}
            idOf={({ id }) => id}
            height={isNarrow ? 64 : 40}
            onEnd={() => {
              if (runs.hasNextPage && !runs.isFetchingNextPage) void runs.fetchNextPage();
            }}
            onOpen={({ id: run }) =>
              void navigate({ to: '/$company/runs/$run', params: { company, run } })
            }
            render={(run) => <RunRow run={run} />}
          />
        )
      }
    </Loading>
  );
}
