import { Paperclip } from 'lucide-react';
import { t } from '../../../i18n';
import { formatBytes } from '../../../i18n/formats';
import type { EntryOf } from '../thread';
import { Line } from './line';

export function AttachmentEntry({ entry }: { entry: EntryOf<'attachment'> }) {
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
