import { unwrap } from '@switchyard/client';
import { useRef, useState } from 'react';
import { api, type Schemas, sentenceOf } from '../../data/api';
import { useHeld } from '../../data/draft';
import { fieldErrorsOf } from '../../data/field-errors';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { options, SelectField } from '../../ui/field';
import { Section } from '../../ui/page';
import { Loading, Notice } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { AboutAdapter, Availability } from '../agents/adapter-list';
import { type Config, ConfigForm } from '../agents/config/config-form';
import { type Identity, IdentityFields } from '../agents/identity-fields';
import type { Agent } from './agent';
import { AgentCheck } from './agent-check';

export function AgentConfiguration({ agent }: { agent: Agent }) {
  const adapters = useRead('/api/adapters', {});
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-5">
      <Warnings warnings={warnings} />
      <AgentCheck agentId={agent.id} />
      <Loading of={adapters}>
        {(all) => <ConfigurationForm agent={agent} adapters={all} onWarnings={setWarnings} />}
      </Loading>
    </div>
  );
}

type Warning = Schemas['AgentWarning'];

interface FormProps {
  agent: Agent;
  adapters: readonly Schemas['Adapter'][];
  onWarnings: (warnings: readonly Warning[]) => void;
}

interface Draft {
  identity?: Partial<Identity>;
  adapterType?: string;
  config?: Config | undefined;
}

const NOTHING: Draft = {};

function ConfigurationForm({ agent, adapters, onWarnings }: FormProps) {
  const mayWrite = useMayWrite() && agent.status !== 'terminated';
  const { value, change, clear } = useHeld<Draft>(`agent configuration ${agent.id}`, NOTHING);
  const { identity = {}, adapterType = agent.adapterType, config } = value;
  const [version, setVersion] = useState(0);
  const stored = useRef('');
  if (config === undefined) stored.current = JSON.stringify(agent.adapterConfig);
  const adapter = adapters.find(
    ({ type, aliases }) => type === adapterType || aliases.includes(adapterType),
  );
  const isNewAdapter = adapterType !== agent.adapterType;
  const isChanged = Object.keys(identity).length > 0 || config !== undefined || isNewAdapter;
  const saving = useSend(
    () =>
      unwrap(
        api.PATCH('/api/agents/{agentId}', {
          params: { path: { agentId: agent.id } },
          body: {
            ...identity,
            ...(isNewAdapter && { adapterType }),
            ...((config !== undefined || isNewAdapter) && { adapterConfig: config ?? {} }),
          } as never,
        }),
      ),
    {
      isQuiet: true,
      onDone: ({ warnings }) => {
        onWarnings(warnings);
        discard();
        showToast({ text: t('agent.saved') });
      },
    },
  );
  const discard = () => {
    clear();
    setVersion(version + 1);
    saving.reset();
  };
  const errors = fieldErrorsOf(saving.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(undefined);
      }}
    >
      <fieldset disabled={!mayWrite} className="min-w-0">
        <Section title={t('agent.identity')}>
          <div className="flex flex-col gap-3">
            <IdentityFields
              value={{ ...agent, ...identity }}
              onChange={(changes) => change({ identity: { ...identity, ...changes } })}
              errors={errors}
              agentId={agent.id}
            />
          </div>
        </Section>
        <Section
          title={t('agent.adapterConfig')}
          aside={adapter && <Availability adapter={adapter} />}
        >
          <div className="flex flex-col gap-3">
            <SelectField
              label={t('agent.adapter')}
              error={errors.adapterType}
              value={adapterType}
              onChange={({ target }) => {
                const isStored = target.value === agent.adapterType;
                change({ adapterType: target.value, config: isStored ? undefined : {} });
              }}
            >
              {!adapters.some(({ type }) => type === agent.adapterType) && (
                <option value={agent.adapterType}>{adapter?.label ?? agent.adapterType}</option>
              )}
              {options(adapters.map(({ type, label }) => [type, label]))}
            </SelectField>
            {adapter && <AboutAdapter adapter={adapter} />}
            {adapter && (
              <ConfigForm
                key={`${adapterType} ${version} ${stored.current}`}
                schema={adapter.configSchema}
                models={adapter.models}
                value={config ?? (isNewAdapter ? {} : agent.adapterConfig)}
                onChange={(next) => change({ config: next })}
                errors={errors}
              />
            )}
          </div>
        </Section>
      </fieldset>
      <SaveBar
        isChanged={isChanged}
        isBusy={saving.isPending}
        error={saving.error}
        onDiscard={discard}
      />
    </form>
  );
}

interface SaveBarProps {
  isChanged: boolean;
  isBusy: boolean;
  error: unknown;
  onDiscard: () => void;
}

function SaveBar({ isChanged, isBusy, error, onDiscard }: SaveBarProps) {
  if (!isChanged) return null;
  return (
    <div className="sticky bottom-0 -mx-4 border-t border-line bg-surface px-4 py-2.5">
      {error !== null && error !== undefined && (
        <p role="alert" className="mb-2 text-sm text-bad">
          {sentenceOf(error)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="flex-1 text-sm text-muted">{t('agent.unsaved')}</span>
        <Button tone="quiet" onClick={onDiscard}>
          {t('agent.discard')}
        </Button>
        <Button tone="primary" type="submit" isBusy={isBusy}>
          {t('agent.saveChanges')}
        </Button>
      </div>
    </div>
  );
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className="mb-5">
      <Notice>
        {t('agent.warnings')}
        <ul className="list-disc pl-5">
          {warnings.map(({ code, message, setting }) => (
            <li key={code}>
              {message}
              {setting && ` (${t('agent.setting', { setting })})`}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
