import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, sentenceOf } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { Loading } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { AdapterList } from './adapter-list';
import { type Config, ConfigForm } from './config/config-form';
import { fieldErrorsOf } from './config/field-errors';
import { type Identity, IdentityFields } from './identity-fields';

const NOBODY: Identity = {
  name: '',
  role: 'engineer',
  title: null,
  capabilities: null,
  reportsTo: null,
  maxConcurrentRuns: 1,
  wakeOnAssignment: true,
};

/** Two steps: who it is, then what it runs on, which says what is installed. */
export function NewAgent({ onClose }: { onClose: () => void }) {
  const { id: companyId, issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const [step, setStep] = useState(1);
  const [identity, setIdentity] = useState(NOBODY);
  const [adapter, setAdapter] = useState<Schemas['Adapter']>();
  const [config, setConfig] = useState<Config>({});
  const adapters = useRead('/api/adapters', {});
  const creating = useSend(
    () =>
      unwrap(
        api.POST('/api/companies/{companyId}/agents', {
          params: { path: { companyId } },
          // Which configuration goes with which adapter is in the adapter's own schema.
          body: {
            ...identity,
            adapterType: adapter?.type,
            adapterConfig: config,
          } as Schemas['CreateAgentBody'],
        }),
      ),
    {
      isQuiet: true,
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
  const errors = fieldErrorsOf(creating.error);
  return (
    <Dialog
      title={`${t('agents.new')} · ${t('hire.step', { step })}`}
      onClose={onClose}
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
        {creating.error && <p className="text-sm text-bad">{sentenceOf(creating.error)}</p>}
        {step === 1 ? (
          <IdentityFields
            value={identity}
            onChange={(changes) => setIdentity({ ...identity, ...changes })}
            errors={errors}
          />
        ) : (
          <Loading of={adapters}>
            {(all) => (
              <>
                <AdapterList
                  adapters={all}
                  chosen={adapter?.type}
                  onChoose={(next) => {
                    setAdapter(next);
                    setConfig({});
                  }}
                />
                {adapter && (
                  <ConfigForm
                    key={adapter.type}
                    schema={adapter.configSchema}
                    models={adapter.models}
                    value={config}
                    onChange={setConfig}
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
