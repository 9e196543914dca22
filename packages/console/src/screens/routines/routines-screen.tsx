import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { ListScreen } from '../../ui/list-screen';
import { Empty } from '../../ui/states';
import { RoutineRow, routineHeads } from './routine-row';
import { useRoutineActions } from './use-routine-actions';

const NewRoutine = lazy(() =>
  import('./new-routine').then(({ NewRoutine }) => ({ default: NewRoutine })),
);

export function RoutinesScreen() {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
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
    <ListScreen
      title={t('nav.routines')}
      actions={add}
      of={routines}
      rows={routines.items}
      heights={[44, 68]}
      heads={routineHeads(mayWrite)}
      empty={
        <Empty icon={CalendarClock} title={t('routines.empty')} action={add}>
          {t('routines.emptyText')}
        </Empty>
      }
      onOpen={({ id: routine }) =>
        void navigate({ to: '/$company/routines/$routine', params: { company, routine } })
      }
      render={(routine) => (
        <RoutineRow routine={routine} actions={mayWrite ? actions : undefined} />
      )}
    >
      <Suspense>{isNew && <NewRoutine onClose={() => setNew(false)} />}</Suspense>
    </ListScreen>
  );
}
