import { BellOff, Clock, EllipsisVertical } from 'lucide-react';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Menu, MenuItem } from '../../ui/choices/menu';
import { classNames } from '../../ui/class-names';
import { plainExcerpt } from '../../ui/markdown/plain-excerpt';
import { Avatar, Tag } from '../../ui/marks';
import { Ago } from '../../ui/time';
import type { InboxAction, InboxItem } from './inbox-item';
import { labelOf, shortLabelOf } from './label-of';
import { tomorrowMorning } from './use-item-actions';

interface ItemRowProps {
  item: InboxItem;
  kind: string;
  onOpen: () => void;
  onAct: (action: InboxAction) => void;
  onSnooze: (until: Date) => void;
  onDismiss: () => void;
}

const EDGES = { bad: 'bg-bad', live: 'bg-live', warn: 'bg-warn', plain: 'bg-transparent' } as const;
const ALARMS: readonly InboxItem['kind'][] = [
  'failed_run',
  'agent_stopped',
  'budget_spent',
  'routine_stopped',
];

/** Red is for failures and spent budgets; other blocking items wait for an answer. */
function toneOf({ kind, severity }: InboxItem): keyof typeof EDGES {
  if (ALARMS.includes(kind)) return 'bad';
  return severity === 'blocking' ? 'live' : severity === 'warning' ? 'warn' : 'plain';
}

export function ItemRow({ item, kind, onOpen, onAct, onSnooze, onDismiss }: ItemRowProps) {
  const mayWrite = useMayWrite();
  const reason = plainExcerpt(item.reason);
  const tone = toneOf(item);
  return (
    <div className="flex h-full items-center gap-3 pr-2 pl-4 max-md:flex-wrap max-md:content-center max-md:gap-y-0.5">
      <span className={classNames('absolute inset-y-0 left-0 w-0.5', EDGES[tone])} />
      <span className="w-34 shrink-0 truncate max-md:w-auto">
        <Tag tone={tone} title={heldBy(item)}>
          {kind}
        </Tag>
      </span>
      <span className="w-5 shrink-0 max-md:hidden" title={item.agentName ?? undefined}>
        {item.agentName && <Avatar name={item.agentName} />}
      </span>
      <button
        type="button"
        onClick={onOpen}
        className="group flex min-h-6 min-w-0 flex-1 items-baseline overflow-hidden gap-2 rounded text-left max-md:order-3 max-md:basis-full"
      >
        <span
          title={item.title}
          className="max-w-full shrink-0 truncate font-medium group-hover:underline"
        >
          {item.title}
        </span>
        <span className="min-w-0 truncate text-sm text-muted max-md:hidden" title={reason}>
          {reason}
        </span>
      </button>
      {heldBy(item) && (
        <span className="shrink-0 text-sm text-muted max-2xl:hidden">{heldBy(item)}</span>
      )}
      <Ago
        at={item.since}
        className="w-16 shrink-0 text-right text-sm whitespace-nowrap text-muted max-md:w-auto max-md:flex-1"
      />
      <span className="line-clamp-1 min-w-0 basis-full text-sm text-muted max-md:order-4 md:hidden">
        {reason}
      </span>
      {mayWrite && <Actions {...{ item, onOpen, onAct, onSnooze, onDismiss }} />}
    </div>
  );
}

function Actions({ item, onOpen, onAct, onSnooze, onDismiss }: Omit<ItemRowProps, 'kind'>) {
  const [first, ...rest] = item.actions;
  const opensLog = item.runId !== null;
  const second = opensLog ? undefined : rest[0];
  const others = opensLog ? rest : rest.slice(1);
  return (
    <span className="grid shrink-0 grid-cols-[104px_112px_28px] items-center gap-1 max-lg:grid-cols-[104px_28px] max-md:order-last max-md:basis-full max-md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_36px]">
      {first ? <RowButton action={first} onAct={onAct} /> : <span />}
      <span className="contents max-lg:hidden max-md:contents">
        {opensLog ? (
          <Button tone="quiet" className="w-full" onClick={onOpen}>
            {t('needsYou.openLog')}
          </Button>
        ) : second ? (
          <RowButton isQuiet action={second} onAct={onAct} />
        ) : (
          <span />
        )}
      </span>
      <Menu
        label={t('needsYou.moreFor', { title: item.title })}
        align="end"
        className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text max-md:size-9"
        trigger={<EllipsisVertical size={15} aria-hidden />}
      >
        {(close) => {
          const and = (run: () => void) => () => {
            close();
            run();
          };
          return (
            <>
              {second && (
                <span className="hidden max-lg:contents max-md:hidden">
                  <MenuItem onClick={and(() => onAct(second))}>{labelOf(second)}</MenuItem>
                </span>
              )}
              {others.map((action) => (
                <MenuItem key={action.name} onClick={and(() => onAct(action))}>
                  {labelOf(action)}
                </MenuItem>
              ))}
              {SNOOZES.map(({ label, until }) => (
                <MenuItem key={label} icon={Clock} onClick={and(() => onSnooze(until()))}>
                  {t(label)}
                </MenuItem>
              ))}
              <MenuItem icon={BellOff} onClick={and(onDismiss)}>
                {t('needsYou.dismiss')}
              </MenuItem>
            </>
          );
        }}
      </Menu>
    </span>
  );
}

function RowButton({
  action,
  isQuiet,
  onAct,
}: {
  action: InboxAction;
  isQuiet?: boolean;
  onAct: (action: InboxAction) => void;
}) {
  const label = shortLabelOf(action);
  return (
    <Button
      tone={isQuiet ? 'quiet' : 'plain'}
      title={labelOf(action)}
      className="w-full min-w-0"
      onClick={() => onAct(action)}
    >
      <span className="truncate">{label}</span>
    </Button>
  );
}

const SNOOZES = [
  { label: 'needsYou.snoozeHour', until: () => new Date(Date.now() + 3_600_000) },
  { label: 'needsYou.snoozeTomorrow', until: tomorrowMorning },
  { label: 'needsYou.snoozeWeek', until: () => new Date(Date.now() + 7 * 86_400_000) },
] as const;

function heldBy({ blocks: { agents, issues } }: InboxItem): string | undefined {
  if (agents === 0 && issues === 0) return undefined;
  return t('needsYou.holds', { agents, issues, both: agents > 0 && issues > 0 });
}
