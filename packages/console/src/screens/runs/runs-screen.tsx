import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { Rows } from '../../ui/rows';
import { Empty, Loading } from '../../ui/states';
import { useIsNarrow } from '../../ui/use-is-narrow';
import { RunFilterBar } from './run-filter-bar';
import { RunRow } from './run-row';
import { useRunFilters } from './use-run-filters';

/** Every run of the company, newest first, narrowed by what stands in the address. */
export function RunsScreen() {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const by = useRunFilters();
  const { status, agent } = by.filters;
  const runs = usePages(
    '/api/companies/{companyId}/heartbeat-runs',
    {
      path: { companyId },
      query: {
        limit: 100,
        ...(status.length > 0 && { status: [...status] }),
        ...(agent && { agentId: agent }),
      },
    },
    { keepPrevious: true },
  );
  const readOn = () => {
    if (runs.hasNextPage && !runs.isFetchingNextPage) void runs.fetchNextPage();
  };
  return (
    <Page title={t('nav.runs')} toolbar={<RunFilterBar by={by} />}>
      <Loading of={{ ...runs, data: runs.items }}>
        {(items) =>
          items.length === 0 ? (
            by.isFiltered ? (
              <Empty
                icon={Play}
                title={t('runs.noMatch')}
                action={<Button onClick={by.clear}>{t('runs.clear')}</Button>}
              />
            ) : (
              <Empty icon={Play} title={t('runs.empty')}>
                {t('runs.emptyText')}
              </Empty>
            )
          ) : (
            <Rows
              label={t('nav.runs')}
              rows={items}
              idOf={({ id }) => id}
              height={isNarrow ? 64 : 40}
              onEnd={readOn}
              onOpen={({ id: run }) =>
                void navigate({ to: '/$company/runs/$run', params: { company, run } })
              }
              render={(run) => <RunRow run={run} />}
            />
          )
        }
      </Loading>
    </Page>
  );
}
