import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { t } from '../../i18n';
import { IconButton } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import type { Heads } from '../../ui/list-screen';
import { Avatar } from '../../ui/marks';
import { Switch } from '../../ui/switch';
import { Ago } from '../../ui/time';
import { CronInWords } from './cron-in-words';
import { RoutineRunTag } from './routine-run-tag';
import type { useRoutineActions } from './use-routine-actions';
import { ZonedTime } from './zoned-time';

type ListedRoutine = Schemas['ListedRoutine'];

const CELLS = {
  assignee: 'w-28 shrink-0 max-lg:hidden',
  schedule: 'w-44 min-w-0 shrink-0',
  next: 'w-52 shrink-0 max-xl:hidden',
  last: 'w-40 shrink-0',
};

export const routineHeads = (hasActions: boolean): Heads => [
  [t('routine.titleField'), 'flex-1'],
  [t('routine.assignee'), CELLS.assignee],
  [t('routine.schedule'), CELLS.schedule],
  [t('routines.next'), CELLS.next],
  [t('routines.last'), `${CELLS.last} text-right`],
  ...(hasActions ? ([['', 'w-17']] as const) : []),
];

interface RoutineRowProps {
  routine: ListedRoutine;
  actions: ReturnType<typeof useRoutineActions> | undefined;
}

export function RoutineRow({ routine, actions }: RoutineRowProps) {
  const { issuePrefix: company } = useCompany();
  const isOn = routine.status === 'active';
  const next = routine.triggers.find(({ nextRunAt }) => nextRunAt === routine.nextRunAt);
  return (
    <div className="flex h-full items-center gap-3 px-4 max-md:flex-wrap max-md:gap-y-0.5 max-md:py-2">
      <Link
        to="/$company/routines/$routine"
        params={{ company, routine: routine.id }}
        className="flex min-h-6 min-w-0 flex-1 items-center gap-2 font-medium"
      >
        <span className="truncate">{routine.title}</span>
      </Link>
      <span className={classNames(CELLS.assignee, 'flex items-center gap-2 text-sm')}>
        <Avatar name={routine.assigneeName ?? '?'} size={18} />
        <span className="truncate">{routine.assigneeName}</span>
      </span>
      <span
        className={classNames(
          CELLS.schedule,
          'truncate text-sm text-muted max-md:order-last max-md:w-auto max-md:basis-full',
        )}
      >
        <ScheduleText routine={routine} />
      </span>
      <span className={classNames(CELLS.next, 'truncate text-sm')}>
        {isOn && routine.nextRunAt && (
          <ZonedTime at={routine.nextRunAt} zone={next?.timezone ?? null} />
        )}
      </span>
      <span
        className={classNames(
          CELLS.last,
          'flex items-center justify-end gap-2 text-sm max-md:hidden',
        )}
      >
        {routine.lastRun && (
          <>
            <RoutineRunTag status={routine.lastRun.status} reason={routine.lastRun.failureReason} />
            <Ago at={routine.lastRun.triggeredAt} className="whitespace-nowrap text-muted" />
          </>
        )}
      </span>
      {actions && (
        <span className="flex shrink-0 items-center justify-end gap-1">
          <IconButton
            icon={Play}
            label={`${t('routines.runNow')}: ${routine.title}`}
            disabled={routine.status === 'archived'}
            onClick={() => actions.fire.mutate({ routine })}
          />
          <Switch
            isOn={isOn}
            label={t('routines.isOn', { title: routine.title })}
            disabled={routine.status === 'archived'}
            onChange={(next) => actions.turn.mutate({ routine, isOn: next })}
          />
        </span>
      )}
    </div>
  );
}

function ScheduleText({ routine: { triggers, triggerCount } }: { routine: ListedRoutine }) {
  const schedule = triggers.find(({ cronExpression }) => cronExpression !== null);
  if (!schedule?.cronExpression) {
    const webhooks = triggers.filter(({ kind }) => kind === 'webhook').length;
    return webhooks > 0 ? t('routines.webhookOnly', { count: webhooks }) : t('routines.noSchedule');
  }
  return (
    <>
      <CronInWords expression={schedule.cronExpression} />
      {triggerCount > 1 && ` · ${t('routines.more', { count: triggerCount - 1 })}`}
    </>
  );
}
