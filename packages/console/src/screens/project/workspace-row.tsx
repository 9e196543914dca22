import { unwrap } from '@switchyard/client';
import { FolderGit2, Stethoscope } from 'lucide-react';
import { api, type Schemas } from '../../data/api';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Tag } from '../../ui/marks';
import { Findings } from '../agent/findings';

export function WorkspaceRow({
  workspace,
  onEdit,
}: {
  workspace: Schemas['Workspace'];
  onEdit: () => void;
}) {
  const mayWrite = useMayWrite();
  const path = { projectId: workspace.projectId, workspaceId: workspace.id };
  const testing = useSend((_updatedAt: string) =>
    unwrap(
      api.POST('/api/projects/{projectId}/workspaces/{workspaceId}/check', {
        params: { path },
        body: {},
      }),
    ),
  );
  const isTested = testing.data && testing.variables === workspace.updatedAt;
  return (
    <div className="border-b border-line last:border-0">
      <div className="flex items-center gap-2 pr-3">
        <button
          type="button"
          disabled={!mayWrite}
          onClick={onEdit}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-x-3 px-4 py-1.5 text-left enabled:hover:bg-hover max-md:flex-wrap"
        >
          <FolderGit2 size={15} aria-hidden className="shrink-0 text-muted" />
          <span className="font-medium max-md:flex-1">{workspace.name}</span>
          <span className="min-w-0 flex-1 truncate font-mono text-sm text-muted max-md:order-last max-md:basis-full">
            {workspace.cwd ?? workspace.repoUrl}
            {!workspace.cwd && workspace.repoRef && ` @ ${workspace.repoRef}`}
          </span>
          {workspace.isPrimary && <Tag>{t('project.primary')}</Tag>}
        </button>
        {mayWrite && (
          <Button
            tone="quiet"
            icon={Stethoscope}
            isBusy={testing.isPending}
            aria-label={t('workspace.testNamed', { name: workspace.name })}
            onClick={() => testing.mutate(workspace.updatedAt)}
          >
            {t(testing.isPending ? 'workspace.testing' : 'workspace.test')}
          </Button>
        )}
      </div>
      <div aria-live="polite" className={isTested ? 'px-4 pb-3' : ''}>
        {isTested && testing.data && <Findings findings={testing.data} />}
      </div>
    </div>
  );
}
