import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Field, Input, Select, Textarea } from '../../ui/field';
import type { Goal } from './goal';

type Level = Goal['level'];
type Status = Goal['status'];
const LEVELS: Level[] = ['company', 'team', 'agent', 'task'];
const STATUSES: Status[] = ['planned', 'active', 'achieved', 'cancelled'];

const DEFAULTS: { level: Level; status: Status } = { level: 'company', status: 'planned' };

export function GoalForm({
  goal,
  goals,
  onClose,
}: {
  goal?: Goal;
  goals: Goal[];
  onClose: () => void;
}) {
  const { id: companyId } = useCompany();
  const whole = useRead(
    '/api/goals/{goalId}',
    { path: { goalId: goal?.id ?? '' } },
    { enabled: goal !== undefined },
  );
  const agents = useAgents();
  const [typed, setTyped] = useState<Partial<Schemas['CreateGoalBody']> & { status?: Status }>({});
  const shown = {
    ...DEFAULTS,
    ...goal,
    ...whole.data,
    ...typed,
  };
  const saving = useSend(
    async () => {
      if (goal) {
        const params = { path: { goalId: goal.id } };
        return unwrap(api.PATCH('/api/goals/{goalId}', { params, body: typed }));
      }
      const params = { path: { companyId } };
      const body = { ...DEFAULTS, ...typed, title: typed.title ?? '' };
      return unwrap(api.POST('/api/companies/{companyId}/goals', { params, body }));
    },
    { onDone: onClose },
  );
  const change = (field: keyof typeof typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [field]: event.target.value || null });
  return (
    <FormDialog
      title={t(goal ? 'goals.edit' : 'goals.new')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <Field name="title" label={t('field.title')}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={500}
            value={shown.title ?? ''}
            onChange={change('title')}
          />
        )}
      </Field>
      <Field name="description" label={`${t('field.description')} (${t('form.optional')})`}>
        {(control) => (
          <Textarea {...control} value={shown.description ?? ''} onChange={change('description')} />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field name="level" label={t('goals.level')}>
          {(control) => (
            <Select {...control} value={shown.level} onChange={change('level')}>
              {LEVELS.map((level) => (
                <option key={level} value={level}>
                  {word('goalLevel', level)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field name="status" label={t('field.status')}>
          {(control) => (
            <Select {...control} value={shown.status} onChange={change('status')}>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {word('goalStatus', status)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field name="parentId" label={`${t('goals.parent')} (${t('form.optional')})`}>
          {(control) => (
            <Select {...control} value={shown.parentId ?? ''} onChange={change('parentId')}>
              <option value="" />
              {goals
                .filter(({ id }) => id !== goal?.id)
                .map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
            </Select>
          )}
        </Field>
        <Field name="ownerAgentId" label={`${t('goals.owner')} (${t('form.optional')})`}>
          {(control) => (
            <Select {...control} value={shown.ownerAgentId ?? ''} onChange={change('ownerAgentId')}>
              <option value="" />
              {agents.all.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </FormDialog>
  );
}
