import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { t } from '../../../i18n';
import type { EntryOf } from '../thread';
import { Line } from './line';

export function RevisionEntry({ entry }: { entry: EntryOf<'revision'> }) {
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
