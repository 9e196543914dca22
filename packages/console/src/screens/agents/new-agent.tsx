import { unwrap } from '@switchyard/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { fieldErrorsOf } from '../../data/field-errors';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { Loading } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { AdapterList } from './adapter-list';
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
};

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
          body: {
            ...identity,
            adapterType: adapter?.type,
            adapterConfig: config,
          } as Schemas['CreateAgentBody'],
        }),
      ),
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
    if (Object.keys(errors).some((name) => name in NOBODY)) setStep(1);
  }, [errors]);
  return (
    <Dialog
      title={`${t('agents.new')} · ${t('hire.step', { step })}`}
      onClose={onClose}
      losesInput
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
