import { unwrap } from '@switchyard/client';
import { type ReactNode, useState } from 'react';
import { api, isOffline, sentenceOf } from '../../data/api';
import { useSend } from '../../data/send';
import { changeText, TextConflict, type TextVersion } from '../../data/text-change';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { showToast } from '../../ui/toast';

interface Change {
  text: string | null;
  base: TextVersion;
}

export function useTextChange(id: string, field: 'title' | 'description') {
  const [conflict, setConflict] = useState<{ between: TextConflict; onDone?: () => void }>();
  const sending = useSend(
    ({ text, base }: Change) =>
      changeText(
        (body) =>
          unwrap(api.PATCH('/api/issues/{issueId}', { params: { path: { issueId: id } }, body })),
        field,
        text,
        base,
      ),
    { isQuiet: true, optimistic: ({ text }) => ({ id, changes: { [field]: text } }) },
  );
  const save = (text: string | null, base: TextVersion, onDone?: () => void) =>
    sending.mutate(
      { text, base },
      {
        onSuccess: () => onDone?.(),
        onError: (error) => {
          if (error instanceof TextConflict)
            setConflict({ between: error, ...(onDone && { onDone }) });
          else showToast({ tone: 'bad', text: sentenceOf(error), isOffline: isOffline(error) });
        },
      },
    );
  const end = () => setConflict(undefined);
  const dialog = conflict && (
    <ConflictDialog
      conflict={conflict.between}
      onClose={end}
      onTheirs={() => {
        end();
        conflict.onDone?.();
      }}
      onMine={() => {
        const { theirs: text, mine, revision } = conflict.between;
        end();
        save(mine, { text, revision }, conflict.onDone);
      }}
    />
  );
  return { save, isPending: sending.isPending, dialog };
}

function ConflictDialog({
  conflict: { theirs, mine },
  onClose,
  onTheirs,
  onMine,
}: {
  conflict: TextConflict;
  onClose: () => void;
  onTheirs: () => void;
  onMine: () => void;
}) {
  return (
    <Dialog
      title={t('conflict.title')}
      onClose={onClose}
      width="lg"
      footer={
        <>
          <Button onClick={onTheirs}>{t('conflict.keepTheirs')}</Button>
          <Button tone="primary" onClick={onMine}>
            {t('conflict.useMine')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-sm">{t('conflict.text')}</p>
      <div className="grid gap-3 md:grid-cols-2">
        <Version title={t('conflict.theirs')}>{theirs}</Version>
        <Version title={t('conflict.mine')}>{mine}</Version>
      </div>
    </Dialog>
  );
}

const Version = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="min-w-0">
    <h3 className="mb-1 text-sm font-medium">{title}</h3>
    <p className="max-h-[40dvh] overflow-y-auto rounded border border-line bg-sunken px-2 py-1 text-sm wrap-anywhere whitespace-pre-wrap">
      {children || t('issue.noDescription')}
    </p>
  </section>
);
