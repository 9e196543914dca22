import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Checkbox, Field, Input, Select } from '../../ui/field';

type Workspace = Schemas['Workspace'];

/** Where the agents of a project work: a repository, or a directory of the runner. */
export function WorkspaceForm({
  projectId,
  workspace,
  onClose,
}: {
  projectId: string;
  workspace?: Workspace;
  onClose: () => void;
}) {
  const { id: companyId } = useCompany();
  const secrets = useRead('/api/companies/{companyId}/secrets', { path: { companyId } });
  const [typed, setTyped] = useState<Schemas['CreateWorkspaceBody']>({});
  const shown = { ...workspace, ...typed };
  const path = { projectId, workspaceId: workspace?.id ?? '' };
  const saving = useSend(
    () =>
      workspace
        ? unwrap(
            api.PATCH('/api/projects/{projectId}/workspaces/{workspaceId}', {
              params: { path },
              body: typed,
            }),
          )
        : unwrap(
            api.POST('/api/projects/{projectId}/workspaces', {
              params: { path: { projectId } },
              body: typed,
            }),
          ),
    { onDone: onClose },
  );
  const removing = useSend(
    () =>
      unwrap(
        api.DELETE('/api/projects/{projectId}/workspaces/{workspaceId}', { params: { path } }),
      ),
    { onDone: onClose },
  );
  const change =
    (field: 'name' | 'repoUrl' | 'repoRef' | 'cwd') => (event: { target: { value: string } }) =>
      setTyped({ ...typed, [field]: event.target.value || null });
  return (
    <FormDialog
      title={workspace?.name ?? t('project.newWorkspace')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <Field label={`${t('field.name')} (${t('form.optional')})`}>
        {(control) => <Input {...control} value={shown.name ?? ''} onChange={change('name')} />}
      </Field>
      <Field label={t('workspace.repoUrl')} hint={t('workspace.repoHint')}>
        {(control) => (
          <Input
            {...control}
            value={shown.repoUrl ?? ''}
            placeholder="https://…"
            onChange={change('repoUrl')}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label={`${t('workspace.ref')} (${t('form.optional')})`}>
          {(control) => (
            <Input
              {...control}
              value={shown.repoRef ?? ''}
              placeholder="main"
              onChange={change('repoRef')}
            />
          )}
        </Field>
        <Field label={`${t('workspace.credential')} (${t('form.optional')})`}>
          {(control) => (
            <Select
              {...control}
              value={shown.repoCredential?.secretId ?? ''}
              onChange={({ target }) =>
                setTyped({
                  ...typed,
                  repoCredential: target.value
                    ? { type: 'secret_ref', secretId: target.value }
                    : null,
                })
              }
            >
              <option value="" />
              {secrets.data?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={`${t('workspace.directory')} (${t('form.optional')})`}>
        {(control) => <Input {...control} value={shown.cwd ?? ''} onChange={change('cwd')} />}
      </Field>
      <Checkbox
        label={t('workspace.primary')}
        checked={shown.isPrimary ?? false}
        onChange={({ target }) => setTyped({ ...typed, isPrimary: target.checked })}
      />
      {workspace && (
        <Button
          tone="danger"
          className="self-start"
          isBusy={removing.isPending}
          onClick={() => removing.mutate(undefined)}
        >
          {t('action.delete')}
        </Button>
      )}
    </FormDialog>
  );
}
