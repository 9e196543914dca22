import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Checkbox, InputField, SelectField, wordOptions } from '../../ui/field';
import { type Endpoint, EVENTS, SHAPES } from './endpoint';
import { ShownSecret } from './shown-secret';

interface Draft {
  url: string;
  description: string | null;
  shape: Endpoint['shape'];
  events: Endpoint['events'];
}

export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const { id: companyId } = useCompany();
  const [secret, setSecret] = useState<string>();
  const adding = useSend(
    (body: Draft) =>
      unwrap(
        api.POST('/api/companies/{companyId}/endpoints', { params: { path: { companyId } }, body }),
      ),
    { onDone: (made) => setSecret(made.secret) },
  );
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />;
  return (
    <EndpointForm
      title={t('webhooks.new')}
      submit={t('action.create')}
      draft={{ url: '', description: null, shape: 'standard', events: [] }}
      isBusy={adding.isPending}
      onSubmit={(draft) => adding.mutate(draft)}
      onClose={onClose}
    />
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id: endpointId, host, description, shape, events } = endpoint;
  const saving = useSend(
    ({ url, ...fields }: Draft) =>
      unwrap(
        api.PATCH('/api/endpoints/{endpointId}', {
          params: { path: { endpointId } },
          body: { ...fields, ...(url && { url }) },
        }),
      ),
    { onDone: onClose },
  );
  return (
    <EndpointForm
      title={t('webhooks.editTitle', { host })}
      draft={{ url: '', description, shape, events }}
      keepsAddress
      isBusy={saving.isPending}
      onSubmit={(draft) => saving.mutate(draft)}
      onClose={onClose}
    />
  );
}

function EndpointForm({
  draft,
  keepsAddress = false,
  onSubmit,
  ...dialog
}: {
  title: string;
  submit?: string;
  draft: Draft;
  keepsAddress?: boolean;
  isBusy: boolean;
  onSubmit: (draft: Draft) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(draft);
  const { url, description, shape, events } = typed;
  const change = (fields: Partial<Draft>) => setTyped({ ...typed, ...fields });
  return (
    <FormDialog
      {...dialog}
      isIncomplete={!keepsAddress && !url.trim()}
      onSubmit={() =>
        onSubmit({ ...typed, url: url.trim(), description: description?.trim() || null })
      }
    >
      <InputField
        name="url"
        label={t('webhooks.url')}
        isOptional={keepsAddress}
        hint={t(keepsAddress ? 'webhooks.urlKept' : 'webhooks.urlHint')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={({ target }) => change({ url: target.value })}
      />
      <InputField
        name="description"
        label={t('field.description')}
        isOptional
        maxLength={200}
        value={description ?? ''}
        onChange={({ target }) => change({ description: target.value })}
      />
      <SelectField
        name="shape"
        label={t('webhooks.shape')}
        value={shape}
        onChange={({ target }) => change({ shape: target.value as Endpoint['shape'] })}
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
                change({
                  events: target.checked
                    ? [...events, event]
                    : events.filter((each) => each !== event),
                })
              }
            />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
