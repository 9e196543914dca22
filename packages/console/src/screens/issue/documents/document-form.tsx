import { unwrap } from '@switchyard/client';
import { api, type Schemas, sentenceOf } from '../../../data/api';
import { useHeld } from '../../../data/draft';
import { useSend } from '../../../data/send';
import { t } from '../../../i18n';
import { Button } from '../../../ui/button';
import { InputField, TextareaField } from '../../../ui/field';
import { Notice } from '../../../ui/states';

interface DocumentFormProps {
  issueId: string;
  document?: Schemas['Document'];
  onDone: (key: string) => void;
  onCancel: () => void;
}

export function DocumentForm({ issueId, document, onDone, onCancel }: DocumentFormProps) {
  const held = useHeld(`document ${issueId} ${document?.key ?? ''}`, {
    title: document?.title ?? '',
    body: document?.body ?? '',
  });
  const { title, body } = held.value;
  const key = document?.key ?? keyOfTitle(title);
  const save = useSend(
    () =>
      unwrap(
        api.PUT('/api/issues/{issueId}/documents/{key}', {
          params: { path: { issueId, key } },
          body: {
            body,
            ...(title.trim() !== '' && { title: title.trim() }),
            format: document?.format ?? 'markdown',
            baseRevisionId: document?.latestRevisionId ?? null,
          },
        }),
      ),
    {
      isQuiet: true,
      onDone: () => {
        held.clear();
        onDone(key);
      },
    },
  );
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      {save.error && <Notice tone="bad">{sentenceOf(save.error)}</Notice>}
      <InputField
        label={t('issue.title')}
        required={!document}
        maxLength={500}
        value={title}
        onChange={(event) => held.change({ title: event.target.value })}
      />
      <TextareaField
        label={t('issue.text')}
        hint={t('issue.markdownHint')}
        rows={14}
        value={body}
        onChange={(event) => held.change({ body: event.target.value })}
        className="font-mono"
      />
      <div className="flex justify-end gap-2">
        <Button
          tone="quiet"
          onClick={() => {
            held.clear();
            onCancel();
          }}
        >
          {t('action.cancel')}
        </Button>
        <Button tone="primary" type="submit" isBusy={save.isPending} disabled={key === ''}>
          {t(document ? 'action.save' : 'action.create')}
        </Button>
      </div>
    </form>
  );
}

const keyOfTitle = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
