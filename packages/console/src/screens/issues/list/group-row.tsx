import { Avatar, PriorityMark, StatusMark } from '../../../ui/marks';
import type { ListRow } from './grouped';

export function GroupRow({
  group,
  isWhole,
}: {
  group: Extract<ListRow, { kind: 'group' }>;
  isWhole: boolean;
}) {
  const { grouping, value, name, shown } = group;
  return (
    <div className="flex h-full items-center gap-2 bg-sunken px-4 text-sm">
      {grouping === 'status' && <StatusMark of="issue" status={value} />}
      {grouping === 'priority' && <PriorityMark priority={value} />}
      {grouping === 'assignee' && value !== '' && <Avatar name={name} />}
      <span className="truncate font-semibold">{name}</span>
      <span className="text-muted">{isWhole ? shown : `${shown}+`}</span>
    </div>
  );
}
