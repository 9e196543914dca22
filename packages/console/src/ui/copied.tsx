import { Copy } from 'lucide-react';
import { t } from '../i18n';
import { copyText } from './browser/copy-text';
import { IconButton } from './button';
import { Textarea } from './field';
import { showToast } from './toast';

export function Copied({ text, label }: { text: string; label: string }) {
  const copy = async () => {
    await copyText(text);
    showToast({ text: t('action.copied') });
  };
  return (
    <div className="flex w-full min-w-0 items-start gap-1">
      <Textarea
        readOnly
        aria-label={label}
        rows={text.split('\n').length}
        wrap="off"
        className="resize-none font-mono text-xs leading-5"
        value={text}
      />
      <IconButton icon={Copy} label={`${t('action.copy')}: ${label}`} onClick={() => void copy()} />
    </div>
  );
}
