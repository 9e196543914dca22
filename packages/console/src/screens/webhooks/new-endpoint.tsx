import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Copied } from '../../ui/copied';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Checkbox, InputField, SelectField, wordOptions } from '../../ui/field';
import { type Endpoint, EVENTS, SHAPES } from './endpoint';

export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const { id: companyId } = useCompany();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [shape, setShape] = useState<Endpoint['shape']>('standard');
  const [events, setEvents] = useState<Endpoint['events']>([]);
  const [secret, setSecret] = useState<string>();
  const adding = useSend(
    () =>
      unwrap(
        api.POST('/api/companies/{companyId}/endpoints', {
          params: { path: { companyId } },
          body: {
            ...{ url: url.trim(), shape, events },
            ...(description.trim() && { description: description.trim() }),
          },
        }),
      ),
    { onDone: (made) => setSecret(made.secret) },
  );
  if (secret !== undefined) {
    return (
      <FormDialog
        title={t('webhooks.secret')}
        isDone
        submit={t('action.close')}
        onSubmit={onClose}
        onClose={onClose}
      >
        <p className="text-sm text-warn">{t('webhooks.secretOnce')}</p>
        <Copied text={secret} label={t('webhooks.secret')} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={t('webhooks.new')}
      submit={t('action.create')}
      isBusy={adding.isPending}
      isIncomplete={!url.trim()}
      onSubmit={() => adding.mutate(undefined)}
      onClose={onClose}
    >
      <InputField
        name="url"
        label={t('webhooks.url')}
        hint={t('webhooks.urlHint')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <InputField
        name="description"
        label={t('field.description')}
        isOptional
        maxLength={200}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <SelectField
        name="shape"
        label={t('webhooks.shape')}
        value={shape}
        onChange={({ target }) => setShape(target.value as typeof shape)}
      >
        {wordOptions('webhookShape', SHAPES)}
      </SelectField>
      <fieldset>
        <legend className="text-sm font-medium">{t('webhooks.events')}</legend>
        <p className="text-xs text-muted">{t('webhooks.eventsHint')}</p>
        <div className="grid grid-cols-2 gap-x-3 max-md:grid-cols-1">
          {EVENTS.map((event) => (
            <Checkbox
              key={event}
              label={word('webhookEvent', event)}
              checked={events.includes(event)}
              onChange={({ target }) =>
                setEvents(
                  target.checked ? [...events, event] : events.filter((each) => each !== event),
                )
              }
            />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
