import { unwrap } from '@switchyard/client';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents, useGoals } from '../../data/directory';
import { t } from '../../i18n';
import { EntityForm } from '../../ui/dialogs/entity-form';
import {
  Checkbox,
  InputField,
  options,
  SelectField,
  TextareaField,
  wordOptions,
} from '../../ui/field';

type Project = Schemas['ProjectDetail'];
const STATUSES: Project['status'][] = [
  'backlog',
  'planned',
  'in_progress',
  'completed',
  'cancelled',
];

const DEFAULTS: { status: Project['status'] } = { status: 'planned' };

type Draft = Schemas['CreateProjectBody'];

export function ProjectForm({
  project,
  onDone,
  onClose,
}: {
  project?: Project;
  onDone?: (project: { id: string }) => void;
  onClose: () => void;
}) {
  const { id: companyId } = useCompany();
  const agents = useAgents();
  const goals = useGoals();
  return (
    <EntityForm<Draft, { id: string }>
      name={`project ${project?.id ?? companyId}`}
      title={t(project ? 'projects.edit' : 'projects.new')}
      stored={project}
      defaults={DEFAULTS}
      save={(changes) =>
        project
          ? unwrap(
              api.PATCH('/api/projects/{projectId}', {
                params: { path: { projectId: project.id } },
                body: changes,
              }),
            )
          : unwrap(
              api.POST('/api/companies/{companyId}/projects', {
                params: { path: { companyId } },
                body: changes as Draft,
              }),
            )
      }
      onDone={onDone}
      onClose={onClose}
    >
      {({ shown, bind, change }) => (
        <>
          <InputField {...bind('name')} label={t('field.name')} required maxLength={200} />
          <TextareaField {...bind('description')} label={t('field.description')} isOptional />
          <div className="grid grid-cols-2 gap-3">
            <SelectField {...bind('status')} label={t('field.status')}>
              {wordOptions('projectStatus', STATUSES)}
            </SelectField>
            <SelectField {...bind('leadAgentId')} label={t('projects.lead')} isOptional>
              <option value="">{t('form.none')}</option>
              {options(agents.all.map(({ id, name }) => [id, name]))}
            </SelectField>
            <InputField
              {...bind('targetDate')}
              label={t('projects.target')}
              isOptional
              type="date"
            />
          </div>
          <GoalChoice
            goals={goals.data ?? []}
            chosen={shown.goalIds ?? []}
            onChange={(goalIds) => change({ goalIds })}
          />
        </>
      )}
    </EntityForm>
  );
}

interface GoalChoiceProps {
  goals: readonly { id: string; title: string }[];
  chosen: readonly string[];
  onChange: (goalIds: string[]) => void;
}

function GoalChoice({ goals, chosen, onChange }: GoalChoiceProps) {
  if (goals.length === 0) return null;
  return (
    <fieldset>
      <legend className="text-sm font-medium">
        {t('nav.goals')} ({t('form.optional')})
      </legend>
      <div className="max-h-40 overflow-y-auto">
        {goals.map(({ id, title }) => (
          <div key={id}>
            <Checkbox
              label={title}
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
