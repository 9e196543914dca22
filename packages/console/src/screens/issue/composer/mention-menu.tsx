import type { Agent } from '../../../data/directory';
import { t } from '../../../i18n';
import { classNames } from '../../../ui/class-names';
import { Avatar, StatusMark } from '../../../ui/marks';

interface MentionMenuProps {
  id: string;
  offered: readonly Agent[];
  marked: number;
  onChoose: (agent: Agent) => void;
}

export function MentionMenu({ id, offered, marked, onChoose }: MentionMenuProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('issue.mentionSomebody')}
      hidden={offered.length === 0}
      className="absolute bottom-full left-2 z-20 mb-1 w-80 max-w-[calc(100%-1rem)] rounded-md border border-line-strong bg-raised p-1 shadow-raised"
    >
      {offered.map((agent, index) => (
        <div
          key={agent.id}
          id={`${id}-${agent.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(agent);
          }}
          className={classNames(
            'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 text-sm max-md:min-h-10',
            index === marked && 'bg-hover',
          )}
        >
          <Avatar name={agent.name} />
          <span className="min-w-0 flex-1 truncate">{agent.name}</span>
          <StatusMark of="agent" status={agent.status} isLabelled className="text-xs text-muted" />
        </div>
      ))}
    </div>
  );
}
