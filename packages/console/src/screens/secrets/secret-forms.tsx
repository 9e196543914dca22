import { unwrap } from '@switchyard/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useHeld } from '../../data/draft';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Dialog } from '../../ui/dialogs/dialog';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField, TextareaField } from '../../ui/field';
import { Loading, Skeleton } from '../../ui/states';
import { showToast } from '../../ui/toast';

const valueProps = { autoComplete: 'off', spellCheck: false, className: 'font-mono' } as const;

export function CreateSecret({ onClose }: { onClose: () => void }) {
  const { id: companyId } = useCompany();
  const held = useHeld(`secret ${companyId}`, { name: '', description: '', value: '' }, ['value']);
  const { name, description, value } = held.value;
  const creating = useSend(
    () =>
      unwrap(
        api.POST('/api/companies/{companyId}/secrets', {
          params: { path: { companyId } },
          body: {
            name: name.trim(),
            value,
            ...(description.trim() && { description: description.trim() }),
          },
        }),
      ),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('secrets.new')}
      submit={t('action.create')}
      held={held}
      isBusy={creating.isPending}
      isIncomplete={!name.trim() || !value}
      onSubmit={() => creating.mutate(undefined)}
      onClose={onClose}
    >
      <InputField
        name="name"
        label={t('field.name')}
        hint={t('secrets.nameHint')}
        required
        value={name}
        onChange={({ target }) => held.change({ name: target.value })}
      />
      <TextareaField
        name="value"
        label={t('secrets.value')}
        hint={t('secrets.valueHint')}
        {...valueProps}
        required
        value={value}
        onChange={({ target }) => held.change({ value: target.value })}
      />
      <InputField
        name="description"
        label={t('field.description')}
        isOptional
        value={description}
        onChange={({ target }) => held.change({ description: target.value })}
      />
    </FormDialog>
  );
}

export function SecretDetails({
  secret,
  onClose,
}: {
  secret: Schemas['ListedSecret'];
  onClose: () => void;
}) {
  const [value, setValue] = useState('');
  const held = useHeld(`secret ${secret.id}`, { description: secret.description ?? '' });
  const { description } = held.value;
  const params = { path: { secretId: secret.id } };
  const saving = useSend(
    () =>
      unwrap(
        api.PATCH('/api/secrets/{secretId}', {
          params,
          body: {
            ...(value && { value }),
            ...(held.isChanged && { description: description.trim() || null }),
          },
        }),
      ),
    {
      onDone: ({ name, latestVersion }) => {
        showToast({ text: t('secrets.saved', { name, version: latestVersion }) });
        onClose();
      },
    },
  );
  const removing = useSend(() => unwrap(api.DELETE('/api/secrets/{secretId}', { params })), {
    onDone: onClose,
  });
  const [isRemoving, setRemoving] = useState(false);
  if (!useMayWrite()) {
    return (
      <Dialog title={secret.name} onClose={onClose}>
        <Users secretId={secret.id} onFollow={onClose} />
      </Dialog>
    );
  }
  if (isRemoving) {
    return (
      <ConfirmDialog
        title={t('secrets.deleteTitle', { name: secret.name })}
        submit={t('action.delete')}
        isBusy={removing.isPending}
        onConfirm={() => removing.mutate(undefined)}
        onClose={() => setRemoving(false)}
      >
        {t('secrets.deleteText')}
      </ConfirmDialog>
    );
  }
  return (
    <FormDialog
      title={secret.name}
      held={{ ...held, isChanged: held.isChanged || value !== '' }}
      isBusy={saving.isPending}
      isIncomplete={!value && description.trim() === (secret.description ?? '')}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <TextareaField
        name="value"
        label={t('secrets.newValue')}
        isOptional
        hint={t('secrets.newValueHint', { version: secret.latestVersion })}
        {...valueProps}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <InputField
        name="description"
        label={t('field.description')}
        isOptional
        value={description}
        onChange={({ target }) => held.change({ description: target.value })}
      />
      <Users secretId={secret.id} onFollow={onClose} />
      <Button tone="danger" className="self-start" onClick={() => setRemoving(true)}>
        {t('action.delete')}
      </Button>
    </FormDialog>
  );
}

function Users({ secretId, onFollow }: { secretId: string; onFollow: () => void }) {
  const { issuePrefix: company } = useCompany();
  const secret = useRead('/api/secrets/{secretId}', { path: { secretId } });
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium">{t('secrets.usedBy')}</h3>
      <Loading of={secret} skeleton={<Skeleton rows={1} height={28} />}>
        {({ usedBy }) =>
          usedBy.length === 0 ? (
            <p className="text-sm text-muted">{t('secrets.unused')}</p>
          ) : (
            <ul className="text-sm">
              {usedBy.map(({ kind, id, name, agentId, projectId, fields }) => (
                <li key={`${kind} ${id}`} className="flex min-h-6 flex-wrap items-center gap-x-2">
                  <span className="text-muted">{word('secretUser', kind)}</span>
                  {agentId ? (
                    <Link
                      to="/$company/agents/$agent"
                      params={{ company, agent: agentId }}
                      onClick={onFollow}
                      className="text-accent hover:underline"
                    >
                      {name}
                    </Link>
                  ) : projectId ? (
                    <Link
                      to="/$company/projects/$project"
                      params={{ company, project: projectId }}
                      onClick={onFollow}
                      className="text-accent hover:underline"
                    >
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                  <span className="font-mono text-xs text-faint">{fields.join(', ')}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  );
}
