import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { useKeys } from '../../ui/browser/keys';
import { Button } from '../../ui/button';
import { type Selection, useSelection } from '../../ui/choices/use-selection';
import { ListScreen } from '../../ui/list-screen';
import { Empty } from '../../ui/states';
import type { Chosen, Verb } from './batch';
import { BatchDialog } from './batch-dialog';
import { RunFilterBar } from './run-filter-bar';
import { type ListedRun, RunRow, runHeads } from './run-row';
import { queryOf, useRunFilters } from './use-run-filters';

export function RunsScreen() {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const by = useRunFilters();
  const marks = useSelection();
  const [at, setAt] = useState<ListedRun>();
  const [batch, setBatch] = useState<{ verb: Verb; chosen: Chosen }>();
  const runs = usePages(
    '/api/companies/{companyId}/heartbeat-runs',
    { path: { companyId }, query: { limit: 100, ...queryOf(by.filters) } },
    { keepPrevious: true },
  );
  useKeys([
    { keys: 'x', label: 'runs.key.mark', run: () => at && mayWrite && marks.toggle(at.id) },
    {
      keys: 'Shift+X',
      label: 'runs.key.markTo',
      run: () => at && mayWrite && marks.extendTo(at.id, runs.items?.map(({ id }) => id) ?? []),
    },
  ]);
  const begin = (verb: Verb) =>
    setBatch({
      verb,
      chosen: marks.ids.size > 0 ? { runIds: [...marks.ids] } : { filter: by.filters },
    });
  return (
    <ListScreen
      title={t('nav.runs')}
      toolbar={<RunFilterBar by={by} />}
      actions={mayWrite && <BatchButtons marks={marks} onBegin={begin} />}
      of={runs}
      rows={runs.items}
      heights={[40, 64]}
      heads={runHeads(mayWrite)}
      empty={<NoRuns isFiltered={by.isFiltered} onClear={by.clear} />}
      onMark={setAt}
      onOpen={({ id: run }) =>
        void navigate({ to: '/$company/runs/$run', params: { company, run } })
      }
      render={(run) => (
        <RunRow
          run={run}
          mark={
            mayWrite
              ? { isOn: marks.ids.has(run.id), toggle: () => marks.toggle(run.id) }
              : undefined
          }
        />
      )}
    >
      {batch && (
        <BatchDialog
          {...batch}
          isEverything={'filter' in batch.chosen && !by.isFiltered}
          onClose={() => {
            setBatch(undefined);
            marks.clear();
          }}
        />
      )}
    </ListScreen>
  );
}

function BatchButtons({ marks, onBegin }: { marks: Selection; onBegin: (verb: Verb) => void }) {
  const isMarked = marks.ids.size > 0;
  return (
    <>
      {isMarked && (
        <>
          <span role="status" className="text-sm text-muted">
            {t('runs.marked', { count: marks.ids.size })}
          </span>
          <Button tone="quiet" onClick={marks.clear}>
            {t('runs.unmark')}
          </Button>
        </>
      )}
      <Button onClick={() => onBegin('retry')}>
        {t(isMarked ? 'runs.retryMarked' : 'runs.retryMatching')}
      </Button>
      <Button tone="danger" onClick={() => onBegin('cancel')}>
        {t(isMarked ? 'runs.cancelMarked' : 'runs.cancelMatching')}
      </Button>
    </>
  );
}

function NoRuns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <Empty icon={Play} title={t('runs.empty')}>
        {t('runs.emptyText')}
      </Empty>
    );
  }
  return (
    <Empty
      icon={Play}
      title={t('runs.noMatch')}
      action={<Button onClick={onClear}>{t('runs.clear')}</Button>}
    />
  );
}
