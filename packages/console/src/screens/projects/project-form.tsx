import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents, useGoals } from '../../data/directory';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Field, Input, Select, Textarea } from '../../ui/field';

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
  const change = (field: keyof typeof typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [field]: event.target.value || null });
  return (
    <FormDialog
      title={t(project ? 'projects.edit' : 'projects.new')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <Field name="name" label={t('field.name')}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={200}
            value={shown.name ?? ''}
            onChange={change('name')}
          />
        )}
      </Field>
      <Field name="description" label={`${t('field.description')} (${t('form.optional')})`}>
        {(control) => (
          <Textarea {...control} value={shown.description ?? ''} onChange={change('description')} />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field name="status" label={t('field.status')}>
          {(control) => (
            <Select {...control} value={shown.status} onChange={change('status')}>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {word('projectStatus', status)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field name="leadAgentId" label={`${t('projects.lead')} (${t('form.optional')})`}>
          {(control) => (
            <Select {...control} value={shown.leadAgentId ?? ''} onChange={change('leadAgentId')}>
              <option value="" />
              {agents.all.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field name="targetDate" label={`${t('projects.target')} (${t('form.optional')})`}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={shown.targetDate ?? ''}
              onChange={change('targetDate')}
            />
          )}
        </Field>
        <Field name="goalIds" label={`${t('nav.goals')} (${t('form.optional')})`}>
          {(control) => (
            <Select
              {...control}
              value={shown.goalIds?.[0] ?? ''}
              onChange={({ target }) =>
                setTyped({ ...typed, goalIds: target.value ? [target.value] : [] })
              }
            >
              <option value="" />
              {goals.data?.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </FormDialog>
  );
}
