import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { EntityForm } from '../../ui/dialogs/entity-form';
import { Checkbox, InputField, options, SelectField } from '../../ui/field';

import { KINDS, kindOf, type WorkspaceKind, workspaceBody } from './workspace-body';

type Workspace = Schemas['Workspace'];
type Draft = Schemas['CreateWorkspaceBody'] & { kind: WorkspaceKind };

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
  const [isRemoving, setRemoving] = useState(false);
  const path = { projectId, workspaceId: workspace?.id ?? '' };
  const removing = useSend(
    () =>
      unwrap(
        api.DELETE('/api/projects/{projectId}/workspaces/{workspaceId}', { params: { path } }),
      ),
    { onDone: onClose },
  );
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
    <EntityForm<Draft, unknown>
      name={`workspace ${workspace?.id ?? projectId}`}
      title={workspace?.name ?? t('project.newWorkspace')}
      stored={workspace && { ...workspace, kind: kindOf(workspace) }}
      defaults={{ kind: 'repository' }}
      save={({ kind, ...typed }) => {
        const body = workspaceBody(
          typed,
          kind ?? (workspace ? kindOf(workspace) : 'repository'),
          workspace,
        );
        return workspace
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
            );
      }}
      onClose={onClose}
    >
      {({ shown, bind, change }) => (
        <>
          <InputField {...bind('name')} label={t('field.name')} isOptional />
          <fieldset className="flex flex-wrap gap-x-5 gap-y-1">
            <legend className="mb-1 text-sm font-medium">{t('workspace.kind')}</legend>
            {KINDS.map((each) => (
              <label key={each} className="inline-flex min-h-7 items-center gap-2 text-sm">
                <input
                  type="radio"
                  name="kind"
                  checked={shown.kind === each}
                  onChange={() => change({ kind: each })}
                  className="size-4 accent-accent-fill"
                />
                {t(`workspace.kind.${each}`)}
              </label>
            ))}
          </fieldset>
          {shown.kind === 'repository' ? (
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
                    change({
                      repoCredential: target.value
                        ? { type: 'secret_ref', secretId: target.value }
                        : null,
                    })
                  }
                >
                  <option value="">{t('form.none')}</option>
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
            onChange={({ target }) => change({ isPrimary: target.checked })}
          />
          {workspace && (
            <Button tone="danger" className="self-start" onClick={() => setRemoving(true)}>
              {t('action.delete')}
            </Button>
          )}
        </>
      )}
    </EntityForm>
  );
}
