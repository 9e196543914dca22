import { Link } from '@tanstack/react-router';
import { FileText, Paperclip } from 'lucide-react';
import { memo } from 'react';
import { t } from '../../../i18n';
import { formatBytes } from '../../../i18n/formats';
import { Button } from '../../../ui/button';
import type { EntryOf, ThreadItem } from '../thread';
import { ApprovalEntry } from './approval-entry';
import { ChangesEntry } from './changes-entry';
import { CommentEntry } from './comment-entry';
import { Line } from './line';
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

function AttachmentEntry({ entry }: { entry: EntryOf<'attachment'> }) {
  const { contentPath, originalFilename, byteSize } = entry.attachment;
  const name = entry.authorName ?? t('issue.someone');
  return (
    <Line mark={<Paperclip size={14} aria-hidden />} at={entry.at}>
      {t('issue.attached', { name })}{' '}
      <a href={contentPath} className="text-accent underline hover:no-underline">
        {originalFilename}
      </a>{' '}
      {formatBytes(byteSize)}
    </Line>
  );
}

function RevisionEntry({ entry }: { entry: EntryOf<'revision'> }) {
  const { key, title, revisionNumber } = entry.revision;
  const name = entry.authorName ?? t('issue.someone');
  return (
    <Line mark={<FileText size={14} aria-hidden />} at={entry.at}>
      {t(revisionNumber === 1 ? 'issue.documentWritten' : 'issue.documentChanged', { name })}{' '}
      <Link
        from="/$company/issues/$issue"
        search={(search) => ({ ...search, document: key, revision: String(revisionNumber) })}
        className="text-accent underline hover:no-underline"
      >
        {title || key}
      </Link>{' '}
      {t('issue.revision', { number: revisionNumber })}
    </Line>
  );
}
