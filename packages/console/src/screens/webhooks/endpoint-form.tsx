import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { type EntityFields, EntityForm } from '../../ui/dialogs/entity-form';
import { Checkbox, InputField, SelectField, wordOptions } from '../../ui/field';
import { type Endpoint, EVENTS, SHAPES } from './endpoint';
import { ShownSecret } from './shown-secret';

interface Draft {
  url: string;
  description: string | null;
  shape: Endpoint['shape'];
  events: Endpoint['events'];
}

/** Drafts do not store the URL, because the URL of a chat service contains a key. */
const SECRET = ['url'] as const;

export function NewEndpoint({ onClose }: { onClose: () => void }) {
  const { id: companyId } = useCompany();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />;
  return (
    <EntityForm<Draft, { secret: string }>
      name={`endpoint ${companyId}`}
      title={t('webhooks.new')}
      stored={undefined}
      secret={SECRET}
      defaults={{ shape: 'standard', events: [] }}
      isIncomplete={({ url }) => !url?.trim()}
      save={(draft) =>
        unwrap(
          api.POST('/api/companies/{companyId}/endpoints', {
            params: { path: { companyId } },
            body: trimmed(draft) as Draft,
          }),
        )
      }
      onDone={(made) => setSecret(made.secret)}
      onClose={onClose}
    >
      {(fields) => <EndpointFields {...fields} />}
    </EntityForm>
  );
}

export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id: endpointId, host, description, shape, events } = endpoint;
  return (
    <EntityForm<Draft, unknown>
      name={`endpoint ${endpointId}`}
      title={t('webhooks.editTitle', { host })}
      stored={{ description, shape, events }}
      secret={SECRET}
      save={(changes) =>
        unwrap(
          api.PATCH('/api/endpoints/{endpointId}', {
            params: { path: { endpointId } },
            body: trimmed(changes),
          }),
        )
      }
      onClose={onClose}
    >
      {(fields) => <EndpointFields {...fields} keepsAddress />}
    </EntityForm>
  );
}

function trimmed({ url, description, ...others }: Partial<Draft>): Partial<Draft> {
  return {
    ...others,
    ...(url?.trim() && { url: url.trim() }),
    ...(description !== undefined && { description: description?.trim() || null }),
  };
}

function EndpointFields({
  shown: { url, description, shape, events = [] },
  change,
  keepsAddress = false,
}: EntityFields<Draft> & { keepsAddress?: boolean }) {
  return (
    <>
      <InputField
        name="url"
        label={t('webhooks.url')}
        isOptional={keepsAddress}
        hint={t(keepsAddress ? 'webhooks.urlKept' : 'webhooks.urlHint')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url ?? ''}
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
    </>
  );
}
