import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents, useGoals } from '../../data/directory';
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

type Project = Schemas['ProjectDetail'];
const STATUSES: Project['status'][] = [
  'backlog',
  'planned',
  'in_progress',
  'completed',
  'cancelled',
];

const DEFAULTS: { status: Project['status'] } = { status: 'planned' };

export function ProjectForm({ project, onClose }: { project?: Project; onClose: () => void }) {
  const { id: companyId } = useCompany();
  const agents = useAgents();
  const goals = useGoals();
  const [typed, setTyped] = useState<Schemas['UpdateProjectBody']>({});
  const shown = { ...DEFAULTS, ...project, ...typed };
  const saving = useSend(
    () => {
      if (project) {
        const params = { path: { projectId: project.id } };
        return unwrap(api.PATCH('/api/projects/{projectId}', { params, body: typed }));
      }
      const body = { ...DEFAULTS, ...typed, name: typed.name ?? '' };
      return unwrap(
        api.POST('/api/companies/{companyId}/projects', { params: { path: { companyId } }, body }),
      );
    },
    { onDone: onClose },
  );
  const bind = binder(shown, typed, setTyped);
  return (
    <FormDialog
      title={t(project ? 'projects.edit' : 'projects.new')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <InputField {...bind('name')} label={t('field.name')} required maxLength={200} />
      <TextareaField {...bind('description')} label={t('field.description')} isOptional />
      <div className="grid grid-cols-2 gap-3">
        <SelectField {...bind('status')} label={t('field.status')}>
          {wordOptions('projectStatus', STATUSES)}
        </SelectField>
        <SelectField {...bind('leadAgentId')} label={t('projects.lead')} isOptional>
          <option value="" />
          {options(agents.all.map(({ id, name }) => [id, name]))}
        </SelectField>
        <InputField {...bind('targetDate')} label={t('projects.target')} isOptional type="date" />
        <SelectField
          name="goalIds"
          label={t('nav.goals')}
          isOptional
          value={shown.goalIds?.[0] ?? ''}
          onChange={({ target }) =>
            setTyped({ ...typed, goalIds: target.value ? [target.value] : [] })
          }
        >
          <option value="" />
          {options(goals.data?.map(({ id, title }) => [id, title]))}
        </SelectField>
      </div>
    </FormDialog>
  );
}
