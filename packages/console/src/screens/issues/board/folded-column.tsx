import { t, word } from '../../../i18n';
import { formatCount } from '../../../i18n/formats';
import { StatusMark } from '../../../ui/marks';
import type { Column } from './columns';
import { DropZone } from './drop-zone';

interface FoldedColumnProps {
  column: Column;
  drop: 'none' | 'allowed' | 'refused';
  onDrop: () => void;
  onUnfold: () => void;
}

export function FoldedColumn({
  column: { status, total },
  drop,
  onDrop,
  onUnfold,
}: FoldedColumnProps) {
  const label = word('issueStatus', status);
  return (
    <DropZone drop={drop} onDrop={onDrop} className="w-10 shrink-0">
      <button
        type="button"
        disabled={total === 0}
        title={t('issues.unfold', { status: label, total: formatCount(total) })}
        onClick={onUnfold}
        className="flex h-full w-full flex-col items-center gap-2 rounded-lg pt-3 text-sm text-muted hover:bg-hover disabled:cursor-default disabled:hover:bg-transparent"
      >
        <StatusMark of="issue" status={status} />
        <span className="text-xs">{formatCount(total)}</span>
        <span className="[writing-mode:vertical-rl]">{label}</span>
      </button>
    </DropZone>
  );
}
