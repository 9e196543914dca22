import type { ReactNode } from 'react';
import type { Schemas } from '../../data/api';
import { useAgents } from '../../data/directory';
import { t } from '../../i18n';
import { Checkbox, InputField, options, SelectField, TextareaField } from '../../ui/field';

export type Identity = Pick<
  Schemas['ListedAgent'],
  | 'name'
  | 'role'
  | 'title'
  | 'capabilities'
  | 'reportsTo'
  | 'maxConcurrentRuns'
  | 'wakeOnAssignment'
  | 'limitKeys'
>;

interface IdentityFieldsProps {
  value: Identity;
  onChange: (changes: Partial<Identity>) => void;
  errors: Readonly<Record<string, string>>;
  agentId?: string;
  children?: ReactNode;
}

export function IdentityFields({
  value,
  onChange,
  errors,
  agentId,
  children,
}: IdentityFieldsProps) {
  const agents = useAgents();
  const orNull = (text: string) => (text === '' ? null : text);
  return (
    <>
      <div className="grid gap-3 md:grid-cols-2">
        <InputField
          label={t('hire.name')}
          error={errors.name}
          required
          maxLength={200}
          value={value.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <InputField
          label={t('agent.role')}
          hint={t('hire.roleHint')}
          error={errors.role}
          required
          pattern="[a-z][a-z0-9_\-]*"
          maxLength={64}
          title={t('hire.roleHint')}
          value={value.role}
          onChange={({ target }) => onChange({ role: target.value })}
        />
        <InputField
          label={t('agent.titleField')}
          isOptional
          error={errors.title}
          maxLength={500}
          value={value.title ?? ''}
          onChange={({ target }) => onChange({ title: orNull(target.value) })}
        />
        <SelectField
          label={t('agent.reportsTo')}
          error={errors.reportsTo}
          value={value.reportsTo ?? ''}
          onChange={({ target }) => onChange({ reportsTo: orNull(target.value) })}
        >
          <option value="">{t('agent.nobody')}</option>
          {options(
            agents.present.filter(({ id }) => id !== agentId).map(({ id, name }) => [id, name]),
          )}
        </SelectField>
      </div>
      {children}
      <details open={agentId !== undefined || ADVANCED.some((name) => errors[name]) || undefined}>
        <summary className="mb-3 text-sm text-muted">{t('config.advanced')}</summary>
        <div className="flex flex-col gap-3">
          <TextareaField
            label={t('agent.capabilities')}
            isOptional
            error={errors.capabilities}
            value={value.capabilities ?? ''}
            onChange={({ target }) => onChange({ capabilities: orNull(target.value) })}
          />
          <InputField
            label={t('agent.limitKeys')}
            hint={t('agent.limitKeysHint')}
            isOptional
            error={errors.limitKeys}
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={value.limitKeys.join(' ')}
            onChange={({ target }) =>
              onChange({ limitKeys: target.value.split(/[\s,]+/).filter(Boolean) })
            }
          />
          <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
            <InputField
              label={t('agent.parallel')}
              error={errors.maxConcurrentRuns}
              type="number"
              min={1}
              max={50}
              className="max-w-24"
              value={value.maxConcurrentRuns}
              onChange={({ target }) => onChange({ maxConcurrentRuns: Number(target.value) })}
            />
            <Checkbox
              label={t('agent.wakes')}
              checked={value.wakeOnAssignment}
              onChange={({ target }) => onChange({ wakeOnAssignment: target.checked })}
            />
          </div>
        </div>
      </details>
    </>
  );
}

const ADVANCED = ['capabilities', 'maxConcurrentRuns', 'wakeOnAssignment', 'limitKeys'];
