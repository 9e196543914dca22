import type { Schemas } from '../../data/api';
import { useAgents } from '../../data/directory';
import { t } from '../../i18n';
import { Checkbox, Field, Input, Select, Textarea } from '../../ui/field';

export type Identity = Pick<
  Schemas['ListedAgent'],
  | 'name'
  | 'role'
  | 'title'
  | 'capabilities'
  | 'reportsTo'
  | 'maxConcurrentRuns'
  | 'wakeOnAssignment'
>;

interface IdentityFieldsProps {
  value: Identity;
  onChange: (changes: Partial<Identity>) => void;
  errors: Readonly<Record<string, string>>;
  agentId?: string;
}

export function IdentityFields({ value, onChange, errors, agentId }: IdentityFieldsProps) {
  const agents = useAgents();
  const orNull = (text: string) => (text === '' ? null : text);
  return (
    <>
      <div className="grid gap-3 md:grid-cols-2">
        <Field label={t('hire.name')} error={errors.name}>
          {(control) => (
            <Input
              {...control}
              required
              maxLength={200}
              value={value.name}
              onChange={({ target }) => onChange({ name: target.value })}
            />
          )}
        </Field>
        <Field label={t('agent.role')} hint={t('hire.roleHint')} error={errors.role}>
          {(control) => (
            <Input
              {...control}
              required
              pattern="[a-z][a-z0-9_\-]*"
              maxLength={64}
              title={t('hire.roleHint')}
              value={value.role}
              onChange={({ target }) => onChange({ role: target.value })}
            />
          )}
        </Field>
        <Field label={`${t('agent.titleField')} (${t('form.optional')})`} error={errors.title}>
          {(control) => (
            <Input
              {...control}
              maxLength={500}
              value={value.title ?? ''}
              onChange={({ target }) => onChange({ title: orNull(target.value) })}
            />
          )}
        </Field>
        <Field label={t('agent.reportsTo')} error={errors.reportsTo}>
          {(control) => (
            <Select
              {...control}
              value={value.reportsTo ?? ''}
              onChange={({ target }) => onChange({ reportsTo: orNull(target.value) })}
            >
              <option value="">{t('agent.nobody')}</option>
              {agents.present
                .filter(({ id }) => id !== agentId)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </Select>
          )}
        </Field>
      </div>
      <Field
        label={`${t('agent.capabilities')} (${t('form.optional')})`}
        error={errors.capabilities}
      >
        {(control) => (
          <Textarea
            {...control}
            value={value.capabilities ?? ''}
            onChange={({ target }) => onChange({ capabilities: orNull(target.value) })}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <Field label={t('agent.parallel')} error={errors.maxConcurrentRuns}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={50}
              className="max-w-24"
              value={value.maxConcurrentRuns}
              onChange={({ target }) => onChange({ maxConcurrentRuns: Number(target.value) })}
            />
          )}
        </Field>
        <Checkbox
          label={t('agent.wakes')}
          checked={value.wakeOnAssignment}
          onChange={({ target }) => onChange({ wakeOnAssignment: target.checked })}
        />
      </div>
    </>
  );
}
