import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { binder, Checkbox, InputField, options, SelectField } from '../../ui/field';

import { KINDS, kindOf, type WorkspaceKind, workspaceBody } from './workspace-body';

type Workspace = Schemas['Workspace'];

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
  const [kind, setKind] = useState<WorkspaceKind>(workspace ? kindOf(workspace) : 'repository');
  const [isRemoving, setRemoving] = useState(false);
  const body = workspaceBody(typed, kind, workspace);
  const path = { projectId, workspaceId: workspace?.id ?? '' };
  const saving = useSend(
    () =>
      workspace
        ? unwrap(
            api.PATCH('/api/projects/{projectId}/workspaces/{workspaceId}', {
              params: { path },
              body,
            }),
          )
        : unwrap(
            api.POST('/api/projects/{projectId}/workspaces', {
              params: { path: { projectId } },
              body,
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
  const bind = binder(shown, typed, setTyped);
  if (workspace && isRemoving) {
    return (
      <ConfirmDialog
        title={t('workspace.deleteTitle', { name: workspace.name })}
        submit={t('action.delete')}
        isBusy={removing.isPending}
        onConfirm={() => removing.mutate(undefined)}
        onClose={() => setRemoving(false)}
      >
        {t('workspace.deleteText')}
      </ConfirmDialog>
    );
  }
  return (
    <FormDialog
      title={workspace?.name ?? t('project.newWorkspace')}
      isBusy={saving.isPending}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <InputField {...bind('name')} label={t('field.name')} isOptional />
      <fieldset className="flex flex-wrap gap-x-5 gap-y-1">
        <legend className="mb-1 text-sm font-medium">{t('workspace.kind')}</legend>
        {KINDS.map((each) => (
          <label key={each} className="inline-flex min-h-7 items-center gap-2 text-sm">
            <input
              type="radio"
              name="kind"
              checked={kind === each}
              onChange={() => setKind(each)}
              className="size-4 accent-accent-fill"
            />
            {t(`workspace.kind.${each}`)}
          </label>
        ))}
      </fieldset>
      {kind === 'repository' ? (
        <>
          <InputField
            {...bind('repoUrl')}
            label={t('workspace.repoUrl')}
            hint={t('workspace.repoHint')}
            placeholder="https://…"
          />
          <div className="grid grid-cols-2 gap-3">
            <InputField
              {...bind('repoRef')}
              label={t('workspace.ref')}
              isOptional
              placeholder="main"
            />
            <SelectField
              name="repoCredential"
              label={t('workspace.credential')}
              isOptional
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
              {options(secrets.data?.map(({ id, name }) => [id, name]))}
            </SelectField>
          </div>
        </>
      ) : (
        <InputField
          {...bind('cwd')}
          label={t('workspace.folder')}
          hint={t('workspace.folderHint')}
          required
        />
      )}
      <Checkbox
        label={t('workspace.primary')}
        checked={shown.isPrimary ?? false}
        onChange={({ target }) => setTyped({ ...typed, isPrimary: target.checked })}
      />
      {workspace && (
        <Button tone="danger" className="self-start" onClick={() => setRemoving(true)}>
          {t('action.delete')}
        </Button>
      )}
    </FormDialog>
  );
}
