import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useHeld } from '../../data/draft';
import { fieldErrorsOf } from '../../data/field-errors';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { InputField } from '../../ui/field';
import { Loading } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { AdapterList } from './adapter-list';
import { type ApiKey, ApiKeyField } from './api-key-field';
import { CODING_AGENTS } from './coding-agents';
import { type Config, ConfigForm } from './config/config-form';
import { type Identity, IdentityFields } from './identity-fields';

const NOBODY: Identity = {
  name: '',
  role: 'engineer',
  title: null,
  capabilities: null,
  reportsTo: null,
  maxConcurrentRuns: 1,
  wakeOnAssignment: true,
  limitKeys: [],
};

interface Draft {
  identity: Identity;
  dollars: string;
  adapterType: string | null;
  config: Config;
}

const FIRST: Draft = { identity: NOBODY, dollars: '50', adapterType: null, config: {} };

export function NewAgent({ onClose }: { onClose: () => void }) {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const [step, setStep] = useState(1);
  const held = useHeld<Draft>(`new agent ${companyId}`, FIRST);
  const { identity, dollars, adapterType, config } = held.value;
  const [key, setKey] = useState<ApiKey>(null);
  const adapters = useRead('/api/adapters', {});
  const adapter = adapters.data?.find(({ type }) => type === adapterType);
  const variable = adapter && CODING_AGENTS[adapter.type]?.keyName;
  const creating = useSend(
    async () => {
      const secretId = key && variable ? await secretOf(companyId, variable, key) : undefined;
      if (secretId) setKey({ secretId });
      const env = secretId && {
        ...(config.env as Config | undefined),
        [variable as string]: { type: 'secret_ref', secretId, version: 'latest' },
      };
      return unwrap(
        api.POST('/api/companies/{companyId}/agents', {
          params: { path: { companyId } },
          body: {
            ...identity,
            budgetMonthlyCents: Math.round(Number(dollars) * 100),
            adapterType: adapter?.type,
            adapterConfig: { ...config, ...(env && { env }) },
          } as Schemas['CreateAgentBody'],
        }),
      );
    },
    {
      onDone: ({ id: agent, name, warnings }) => {
        showToast({
          text: [t('hire.created', { name }), ...warnings.map(({ message }) => message)].join(
            ' · ',
          ),
        });
        void navigate({ to: '/$company/agents/$agent', params: { company, agent } });
        onClose();
      },
    },
  );
  const errors = useMemo(() => fieldErrorsOf(creating.error), [creating.error]);
  useEffect(() => {
    if (Object.keys(errors).some((name) => name in NOBODY || name === 'budgetMonthlyCents')) {
      setStep(1);
    }
  }, [errors]);
  return (
    <Dialog
      title={`${t('agents.new')} · ${t('hire.step', { step })}`}
      onClose={onClose}
      held={held}
      footer={
        <>
          {step === 2 && (
            <Button tone="quiet" onClick={() => setStep(1)}>
              {t('action.back')}
            </Button>
          )}
          <Button
            tone="primary"
            type="submit"
            form="new-agent"
            isBusy={creating.isPending}
            disabled={step === 2 && !adapter}
          >
            {t(step === 1 ? 'action.next' : 'hire.create')}
          </Button>
        </>
      }
    >
      <form
        id="new-agent"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (step === 1) setStep(2);
          else creating.mutate(undefined);
        }}
      >
        <h3 className="text-sm font-semibold">{t(step === 1 ? 'hire.who' : 'hire.how')}</h3>
        {step === 1 ? (
          <IdentityFields
            value={identity}
            onChange={(changes) => held.change({ identity: { ...identity, ...changes } })}
            errors={errors}
          >
            <InputField
              name="budgetMonthlyCents"
              label={t('agent.budgetField')}
              hint={t('agent.budgetHint')}
              required
              type="number"
              min={0}
              step="0.01"
              inputMode="decimal"
              value={dollars}
              onChange={({ target }) => held.change({ dollars: target.value })}
            />
          </IdentityFields>
        ) : (
          <Loading of={adapters}>
            {(all) => (
              <>
                <AdapterList
                  adapters={all}
                  chosen={adapter?.type}
                  onChoose={({ type }) => held.change({ adapterType: type, config: {} })}
                />
                {variable && <ApiKeyField variable={variable} value={key} onChange={setKey} />}
                {adapter && (
                  <ConfigForm
                    key={adapter.type}
                    schema={adapter.configSchema}
                    models={adapter.models}
                    value={config}
                    onChange={(next) => held.change({ config: next })}
                    errors={errors}
                  />
                )}
              </>
            )}
          </Loading>
        )}
      </form>
    </Dialog>
  );
}

async function secretOf(companyId: string, name: string, key: NonNullable<ApiKey>) {
  if ('secretId' in key) return key.secretId;
  const secrets = await unwrap(
    api.GET('/api/companies/{companyId}/secrets', { params: { path: { companyId } } }),
  );
  const taken = new Set(secrets.map((secret) => secret.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  const secret = await unwrap(
    api.POST('/api/companies/{companyId}/secrets', {
      params: { path: { companyId } },
      body: { name: free, value: key.value },
    }),
  );
  return secret.id;
}
