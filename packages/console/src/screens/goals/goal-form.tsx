import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import {
  binder,
  InputField,
  options,
  SelectField,
  TextareaField,
  wordOptions,
} from '../../ui/field';
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
  const bind = binder(shown, typed, setTyped);
  return (
    <FormDialog
      title={t(goal ? 'goals.edit' : 'goals.new')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <InputField {...bind('title')} label={t('field.title')} required maxLength={500} />
      <TextareaField {...bind('description')} label={t('field.description')} isOptional />
      <div className="grid grid-cols-2 gap-3">
        <SelectField {...bind('level')} label={t('goals.level')}>
          {wordOptions('goalLevel', LEVELS)}
        </SelectField>
        <SelectField {...bind('status')} label={t('field.status')}>
          {wordOptions('goalStatus', STATUSES)}
        </SelectField>
        <SelectField {...bind('parentId')} label={t('goals.parent')} isOptional>
          <option value="" />
          {options(goals.filter(({ id }) => id !== goal?.id).map(({ id, title }) => [id, title]))}
        </SelectField>
        <SelectField {...bind('ownerAgentId')} label={t('goals.owner')} isOptional>
          <option value="" />
          {options(agents.all.map(({ id, name }) => [id, name]))}
        </SelectField>
      </div>
    </FormDialog>
  );
}
