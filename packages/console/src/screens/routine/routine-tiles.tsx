import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { Switch } from '../../ui/switch';
import { Ago } from '../../ui/time';
import { CronInWords } from '../routines/cron-in-words';
import { RoutineRunTag } from '../routines/routine-run-tag';
import { useRoutineActions } from '../routines/use-routine-actions';
import { ZonedTime } from '../routines/zoned-time';
import type { Routine } from './routine';

export function RoutineTiles({ routine, mayWrite }: { routine: Routine; mayWrite: boolean }) {
  const { turn } = useRoutineActions();
  const isOn = routine.status === 'active';
  const schedules = routine.triggers.flatMap((trigger) =>
    trigger.kind === 'schedule' ? [trigger] : [],
  );
  const next = schedules
    .filter(({ nextRunAt }) => nextRunAt)
    .sort((one, other) => ((one.nextRunAt ?? '') < (other.nextRunAt ?? '') ? -1 : 1))[0];
  return (
    <dl className="mb-7 grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-line gap-px lg:grid-cols-4">
      <Tile label={t('routine.state')}>
        {mayWrite ? (
          <span className="-ml-1.5">
            <Switch
              isOn={isOn}
              onChange={(next) => turn.mutate({ routine, isOn: next })}
              label={t('routines.isOn', { title: routine.title })}
            >
              {word('routineStatus', routine.status)}
            </Switch>
          </span>
        ) : (
          word('routineStatus', routine.status)
        )}
      </Tile>
      <Tile label={t('routine.schedule')}>
        {schedules[0] ? (
          <>
            <CronInWords expression={schedules[0].cronExpression} />
            <span className="block text-xs text-muted">{schedules[0].timezone}</span>
            {schedules.length > 1 && (
              <span className="block text-xs text-muted">
                {t('routines.more', { count: schedules.length - 1 })}
              </span>
            )}
          </>
        ) : (
          t('routines.noSchedule')
        )}
      </Tile>
      <Tile label={t('routine.nextRun')}>
        {!isOn ? (
          <span className="text-warn">{t('routine.pausedNext')}</span>
        ) : next?.nextRunAt ? (
          <>
            <ZonedTime at={next.nextRunAt} zone={next.timezone} />
            <Ago at={next.nextRunAt} className="block text-xs text-muted" />
          </>
        ) : (
          t('routine.none')
        )}
      </Tile>
      <Tile label={t('routine.lastRun')}>
        <LastRun routineId={routine.id} />
      </Tile>
    </dl>
  );
}

const Tile = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0 bg-surface px-3.5 py-3">
    <dt className="mb-1 text-xs text-muted">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);

function LastRun({ routineId }: { routineId: string }) {
  const { issuePrefix: company } = useCompany();
  const runs = useRead('/api/routines/{routineId}/runs', { path: { routineId } });
  const last = runs.data?.[0];
  if (!last) return runs.data ? t('routines.neverRan') : null;
  return (
    <>
      <RoutineRunTag status={last.status} reason={last.failureReason} />
      <span className="mt-1 block text-xs text-muted">
        <Ago at={last.triggeredAt} />
        {last.linkedIssueId && (
          <>
            {' · '}
            <Link
              to="/$company/issues/$issue"
              params={{ company, issue: last.linkedIssueId }}
              className="text-accent hover:underline"
            >
              {t('routines.openIssue')}
            </Link>
          </>
        )}
      </span>
    </>
  );
}
