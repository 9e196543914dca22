import { memo } from 'react';
import { t } from '../../../i18n';
import { Button } from '../../../ui/button';
import type { ThreadItem } from '../thread';
import { ApprovalEntry } from './approval-entry';
import { AttachmentEntry } from './attachment-entry';
import { ChangesEntry } from './changes-entry';
import { CommentEntry } from './comment-entry';
import { RevisionEntry } from './revision-entry';
import { RunEntry } from './run-entry';

interface EntriesProps {
  items: readonly ThreadItem[];
  hasOlder: boolean;
  isReadingOlder: boolean;
  onOlder: () => void;
}

export function Entries({ items, hasOlder, isReadingOlder, onOlder }: EntriesProps) {
  return (
    <section aria-label={t('issue.thread')} className="pt-4">
      {hasOlder && (
        <div className="pb-3 text-center">
          <Button onClick={onOlder} isBusy={isReadingOlder}>
            {t('issue.older')}
          </Button>
        </div>
      )}
      <ol className="flex flex-col gap-3">
        {items.map((item) => (
          <li key={item.id}>
            <Entry item={item} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const Entry = memo(function Entry({ item }: { item: ThreadItem }) {
  switch (item.kind) {
    case 'comment':
      return <CommentEntry entry={item} />;
    case 'changes':
      return <ChangesEntry changes={item.changes} />;
    case 'run':
      return <RunEntry run={item.run} />;
    case 'revision':
      return <RevisionEntry entry={item} />;
    case 'attachment':
      return <AttachmentEntry entry={item} />;
    case 'approval':
      return <ApprovalEntry approval={item.approval} />;
  }
});
