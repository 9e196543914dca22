import { t } from '../../../i18n';
import { classNames } from '../../../ui/class-names';
import { Avatar, StatusMark } from '../../../ui/marks';
import type { Mentionable } from './use-mentions';

interface MentionMenuProps {
  id: string;
  offered: readonly Mentionable[];
  marked: number;
  onChoose: (mentionable: Mentionable) => void;
}

/** Above the field, so that what is typed stays in sight. The focus stays in the field. */
export function MentionMenu({ id, offered, marked, onChoose }: MentionMenuProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('issue.mentionSomebody')}
      hidden={offered.length === 0}
      className="absolute bottom-full left-2 z-20 mb-1 w-80 max-w-[calc(100%-1rem)] rounded-md border border-line-strong bg-raised p-1 shadow-raised"
    >
      {offered.map((mentionable, index) => (
        <div
          key={mentionable.id}
          id={`${id}-${mentionable.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(mentionable);
          }}
          className={classNames(
            'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm max-md:min-h-10',
            index === marked && 'bg-hover',
          )}
        >
          <Avatar name={mentionable.name} isPerson={!mentionable.agent} />
          <span className="min-w-0 flex-1 truncate">{mentionable.name}</span>
          {mentionable.agent ? (
            <StatusMark
              of="agent"
              status={mentionable.agent.status}
              isLabelled
              className="text-xs text-muted"
            />
          ) : (
            <span className="text-xs text-muted">{t('mention.boardHint')}</span>
          )}
        </div>
      ))}
    </div>
  );
}
