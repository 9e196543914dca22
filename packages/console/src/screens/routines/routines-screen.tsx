import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { Rows } from '../../ui/rows';
import { Empty, Loading } from '../../ui/states';
import { RoutineRow } from './routine-row';
import { useRoutineActions } from './use-routine-actions';

const NewRoutine = lazy(() =>
  import('./new-routine').then(({ NewRoutine }) => ({ default: NewRoutine })),
);

export function RoutinesScreen() {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const mayWrite = useMayWrite();
  const actions = useRoutineActions();
  const [isNew, setNew] = useState(false);
  const routines = usePages('/api/companies/{companyId}/routines', {
    path: { companyId },
    query: { limit: 100 },
  });
  const add = mayWrite && (
    <Button tone="primary" icon={Plus} onClick={() => setNew(true)}>
      {t('routines.new')}
    </Button>
  );
  return (
    <Page title={t('nav.routines')} actions={add}>
      <Loading of={{ ...routines, data: routines.items }}>
        {(items) =>
          items.length === 0 ? (
            <Empty icon={CalendarClock} title={t('routines.empty')} action={add}>
              {t('routines.emptyText')}
            </Empty>
          ) : (
            <Rows
              label={t('nav.routines')}
              rows={items}
              idOf={({ id }) => id}
              height={isNarrow ? 68 : 44}
              onEnd={() => {
                if (routines.hasNextPage && !routines.isFetchingNextPage) {
                  void routines.fetchNextPage();
                }
              }}
              onOpen={({ id: routine }) =>
                void navigate({ to: '/$company/routines/$routine', params: { company, routine } })
              }
              render={(routine) => (
                <RoutineRow routine={routine} actions={mayWrite ? actions : undefined} />
              )}
            />
          )
        }
      </Loading>
      <Suspense>{isNew && <NewRoutine onClose={() => setNew(false)} />}</Suspense>
    </Page>
  );
}
