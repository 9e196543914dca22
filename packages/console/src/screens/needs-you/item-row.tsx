import { BellOff, Clock, EllipsisVertical } from 'lucide-react';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Menu, MenuItem } from '../../ui/choices/menu';
import { classNames } from '../../ui/class-names';
import { Tag } from '../../ui/marks';
import { Ago } from '../../ui/time';
import { labelOf } from './label-of';
import type { InboxAction, InboxItem } from './needs-you-screen';
import { tomorrowMorning } from './use-item-actions';

interface ItemRowProps {
  item: InboxItem;
  kind: string;
  onOpen: () => void;
  onAct: (action: InboxAction) => void;
  onSnooze: (until: Date) => void;
  onDismiss: () => void;
}

const EDGE = { blocking: 'bg-bad', warning: 'bg-warn', info: 'bg-transparent' } as const;

/** What is asked, why, since when, whom it holds up, and the one or two steps that settle it. */
export function ItemRow({ item, kind, onOpen, onAct, onSnooze, onDismiss }: ItemRowProps) {
  const [first, second, ...others] = item.actions;
  return (
    <div className="flex h-full items-center gap-3 pr-2 pl-4 max-md:flex-wrap max-md:gap-y-0 max-md:py-1.5">
      <span className={classNames('absolute inset-y-0 left-0 w-0.5', EDGE[item.severity])} />
      <span className="w-28 shrink-0 truncate max-md:w-auto">
        <Tag
          tone={
            item.severity === 'blocking' ? 'bad' : item.severity === 'warning' ? 'warn' : 'plain'
          }
        >
          {kind}
        </Tag>
      </span>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-6 min-w-0 flex-1 items-baseline gap-2 text-left max-md:order-last max-md:basis-full"
      >
        <span className="max-w-[70%] shrink-0 truncate font-medium max-md:max-w-full">
          {item.title}
        </span>
        <span className="min-w-0 truncate text-sm text-muted max-md:hidden" title={item.reason}>
          {item.reason}
        </span>
      </button>
      <Held blocks={item.blocks} />
      <Ago at={item.since} className="w-16 shrink-0 text-right text-sm text-muted max-md:flex-1" />
      <span className="flex shrink-0 items-center justify-end gap-1 md:min-w-52 max-md:order-last max-md:basis-full">
        {first && (
          <Button tone="plain" onClick={() => onAct(first)}>
            {labelOf(first)}
          </Button>
        )}
        {second && (
          <Button tone="quiet" onClick={() => onAct(second)}>
            {labelOf(second)}
          </Button>
        )}
        <Menu
          label={t('action.more')}
          align="end"
          className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover max-md:size-9"
          trigger={<EllipsisVertical size={15} aria-hidden />}
        >
          {(close) => {
            const and = (run: () => void) => () => {
              close();
              run();
            };
            return (
              <>
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
    </div>
  );
}

const SNOOZES = [
  { label: 'needsYou.snoozeHour', until: () => new Date(Date.now() + 3_600_000) },
  { label: 'needsYou.snoozeTomorrow', until: tomorrowMorning },
  { label: 'needsYou.snoozeWeek', until: () => new Date(Date.now() + 7 * 86_400_000) },
] as const;

function Held({ blocks: { agents, issues } }: { blocks: InboxItem['blocks'] }) {
  if (agents === 0 && issues === 0) return null;
  return (
    <span className="shrink-0 text-sm text-muted max-lg:hidden">
      {t('needsYou.holds', { agents, issues, both: agents > 0 && issues > 0 })}
    </span>
  );
}
