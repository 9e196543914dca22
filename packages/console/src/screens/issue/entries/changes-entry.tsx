import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../i18n';
import { StatusMark } from '../../../ui/marks';
import type { Change } from '../thread';
import { sentenceOfChange, statusAfter } from './change-sentence';
import { Line } from './line';

export function ChangesEntry({ changes }: { changes: readonly Change[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen || changes.length <= SHOWN ? changes : changes.slice(-1);
  const hidden = changes.length - shown.length;
  return (
    <div className="flex flex-col gap-1.5">
      {hidden > 0 && (
        <Line mark={<ChevronRight size={14} aria-hidden />}>
          <button type="button" className="hover:text-text" onClick={() => setOpen(true)}>
            {t('issue.foldedChanges', { count: hidden })}
          </button>
        </Line>
      )}
      {shown.map((entry) => {
        const status = statusAfter(entry.change);
        return (
          <Line
            key={entry.id}
            at={entry.at}
            mark={
              status ? (
                <StatusMark of="issue" status={status} />
              ) : (
                <span aria-hidden className="size-1.5 rounded-full bg-line-strong" />
              )
            }
          >
            {sentenceOfChange(entry)}
          </Line>
        );
      })}
    </div>
  );
}

const SHOWN = 4;
