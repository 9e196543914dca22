import { useParams } from '@tanstack/react-router';
import { Archive, FlaskConical, Pencil, Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { Button, IconButton } from '../../ui/button';
import { Markdown } from '../../ui/markdown/markdown';
import { Tag } from '../../ui/marks';
import { Page, Section } from '../../ui/page';
import { Loading, Notice, Skeleton } from '../../ui/states';
import { useRoutineActions } from '../routines/use-routine-actions';
import type { Routine } from './routine';
import { RoutineAbout } from './routine-about';
import { RoutineRuns } from './routine-runs';
import { RoutineTiles } from './routine-tiles';
import { Triggers } from './triggers';

const EditRoutine = lazy(() =>
  import('./edit-routine').then(({ EditRoutine }) => ({ default: EditRoutine })),
);
const TestFire = lazy(() => import('./test-fire').then(({ TestFire }) => ({ default: TestFire })));
const ArchiveRoutine = lazy(() =>
  import('./archive-routine').then(({ ArchiveRoutine }) => ({ default: ArchiveRoutine })),
);

export function RoutineScreen() {
  const { routine: routineId } = useParams({ from: '/$company/routines/$routine' });
  const routine = useRead('/api/routines/{routineId}', { path: { routineId } });
  return (
    <Loading of={routine} skeleton={<Page title={t('nav.routines')}>{<Skeleton />}</Page>}>
      {(data) => <LoadedRoutine key={routineId} routine={data} />}
    </Loading>
  );
}

function LoadedRoutine({ routine }: { routine: Routine }) {
  const isArchived = routine.status === 'archived';
  const mayWrite = useMayWrite() && !isArchived;
  const { fire } = useRoutineActions();
  const [asked, setAsked] = useState<'edit' | 'test' | 'archive'>();
  const close = () => setAsked(undefined);
  const failing = routine.triggers.find(({ failureReason }) => failureReason);
  return (
    <Page
      title={routine.title}
      aside={isArchived && <Tag>{word('routineStatus', 'archived')}</Tag>}
      actions={
        mayWrite && (
          <>
            <Button icon={FlaskConical} onClick={() => setAsked('test')}>
              {t('routine.testFire')}
            </Button>
            <Button icon={Pencil} onClick={() => setAsked('edit')}>
              {t('action.edit')}
            </Button>
            <Button
              tone="primary"
              icon={Play}
              isBusy={fire.isPending}
              onClick={() => fire.mutate({ routine })}
            >
              {t('routines.runNow')}
            </Button>
            <IconButton
              icon={Archive}
              label={t('routine.archive')}
              onClick={() => setAsked('archive')}
            />
          </>
        )
      }
    >
      <div className="mx-auto flex w-full max-w-5xl flex-col px-4 py-5">
        {failing && (
          <div className="mb-5">
            <Notice tone="bad">{t('routine.failure', { reason: failing.failureReason })}</Notice>
          </div>
        )}
        <RoutineTiles routine={routine} mayWrite={mayWrite} />
        <Triggers routine={routine} mayWrite={mayWrite} />
        <div className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <RoutineRuns routineId={routine.id} />
          <div>
            <RoutineAbout routine={routine} />
            {routine.description && (
              <Section title={t('routine.descriptionField')}>
                <Markdown text={routine.description} />
              </Section>
            )}
          </div>
        </div>
      </div>
      <Suspense>
        {asked === 'edit' && <EditRoutine routine={routine} onClose={close} />}
        {asked === 'test' && <TestFire routine={routine} onClose={close} />}
        {asked === 'archive' && <ArchiveRoutine routine={routine} onClose={close} />}
      </Suspense>
    </Page>
  );
}
