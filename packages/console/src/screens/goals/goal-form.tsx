import { unwrap } from '@switchyard/client';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { EntityForm } from '../../ui/dialogs/entity-form';
import { InputField, options, SelectField, TextareaField, wordOptions } from '../../ui/field';
import type { Goal } from './goal';

type Level = Goal['level'];
type Status = Goal['status'];
const LEVELS: Level[] = ['company', 'team', 'agent', 'task'];
const STATUSES: Status[] = ['planned', 'active', 'achieved', 'cancelled'];

const DEFAULTS: { level: Level; status: Status } = { level: 'company', status: 'planned' };

type Draft = Schemas['CreateGoalBody'] & { status: Status };

export function GoalForm({
  goal,
  parentId,
  goals,
  onClose,
}: {
  goal?: Goal;
  parentId?: string;
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
  return (
    <EntityForm<Draft, unknown>
      name={`goal ${goal?.id ?? companyId}`}
      title={t(goal ? 'goals.edit' : 'goals.new')}
      stored={goal && { ...goal, ...whole.data }}
      defaults={{ ...DEFAULTS, ...(parentId && { parentId, level: 'team' }) }}
      save={(changes) =>
        goal
          ? unwrap(
              api.PATCH('/api/goals/{goalId}', {
                params: { path: { goalId: goal.id } },
                body: changes,
              }),
            )
          : unwrap(
              api.POST('/api/companies/{companyId}/goals', {
                params: { path: { companyId } },
                body: changes as Draft,
              }),
            )
      }
      onClose={onClose}
    >
      {({ bind }) => (
        <>
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
              <option value="">{t('form.none')}</option>
              {options(
                goals.filter(({ id }) => id !== goal?.id).map(({ id, title }) => [id, title]),
              )}
            </SelectField>
            <SelectField {...bind('ownerAgentId')} label={t('goals.owner')} isOptional>
              <option value="">{t('form.none')}</option>
              {options(agents.all.map(({ id, name }) => [id, name]))}
            </SelectField>
          </div>
        </>
      )}
    </EntityForm>
  );
}
