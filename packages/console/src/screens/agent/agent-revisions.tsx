import { unwrap } from '@switchyard/client';
import { ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useAgents } from '../../data/directory';
import { usePages } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { Tag } from '../../ui/marks';
import { Loading } from '../../ui/states';
import { TextDiff } from '../../ui/text-diff/text-diff';
import { Ago } from '../../ui/time';
import { showToast } from '../../ui/toast';
import type { Agent } from './agent';

type Revision = Schemas['ConfigRevision'];

export function AgentRevisions({ agent }: { agent: Agent }) {
  const mayWrite = useMayWrite() && agent.status !== 'terminated';
  const [asked, setAsked] = useState<Revision>();
  const revisions = usePages('/api/agents/{agentId}/config-revisions', {
    path: { agentId: agent.id },
  });
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-5">
      <Loading of={{ ...revisions, data: revisions.items }}>
        {(items) => (
          <ol className="flex flex-col gap-1">
            {items.map((revision, index) => (
              <RevisionItem
                key={revision.id}
                revision={revision}
                isCurrent={index === 0}
                onRollback={mayWrite && index > 0 ? () => setAsked(revision) : undefined}
              />
            ))}
          </ol>
        )}
      </Loading>
      {revisions.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={revisions.isFetchingNextPage}
          onClick={() => void revisions.fetchNextPage()}
        >
          {t('action.more')}
        </Button>
      )}
      {asked && (
        <RollbackDialog agent={agent} revision={asked} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}

interface RevisionItemProps {
  revision: Revision;
  isCurrent: boolean;
  onRollback: (() => void) | undefined;
}

function RevisionItem({ revision, isCurrent, onRollback }: RevisionItemProps) {
  const agents = useAgents();
  const { revisionNumber: number, changedKeys, source } = revision;
  const author = agents.get(revision.createdByAgentId)?.name ?? t('agent.board');
  return (
    <li className="border-b border-line pb-1">
      <details className="group">
        <summary className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-1 py-1 text-sm">
          <ChevronRight
            size={14}
            aria-hidden
            className="shrink-0 text-muted transition-transform group-open:rotate-90"
          />
          <span className="font-medium">{t('agent.revision', { number })}</span>
          {isCurrent && <Tag tone="good">{t('agent.current')}</Tag>}
          <span className="min-w-0 flex-1 truncate text-muted">
            {t(`agent.revisionBy.${source}`)}
            {source !== 'create' &&
              `: ${changedKeys.map((key) => word('agentField', key)).join(', ')}`}
          </span>
          <span className="text-muted">{author}</span>
          <Ago at={revision.createdAt} className="whitespace-nowrap text-muted" />
        </summary>
        <div className="flex flex-col gap-2 py-2">
          <TextDiff before={textOf(revision.before)} after={textOf(revision.after)} />
          {onRollback && (
            <Button icon={Undo2} className="self-start" onClick={onRollback}>
              {t('agent.rollback')}
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

function textOf(configuration: Revision['before']): string {
  if (!configuration) return '';
  return JSON.stringify(configuration, sortedKeys, 2);
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function RollbackDialog({
  agent,
  revision,
  onClose,
}: {
  agent: Agent;
  revision: Revision;
  onClose: () => void;
}) {
  const rolling = useSend(
    () =>
      unwrap(
        api.POST('/api/agents/{agentId}/config-revisions/{revisionId}/rollback', {
          params: { path: { agentId: agent.id, revisionId: revision.id } },
          body: {},
        }),
      ),
    {
      onDone: ({ warnings }) => {
        showToast({
          text: [t('agent.rolledBack'), ...warnings.map(({ message }) => message)].join(' · '),
        });
        onClose();
      },
    },
  );
  const number = revision.revisionNumber;
  return (
    <FormDialog
      title={t('agent.rollbackTitle', { number })}
      submit={t('agent.rollback')}
      isBusy={rolling.isPending}
      onSubmit={() => rolling.mutate(undefined)}
      onClose={onClose}
    >
      <p>{t('agent.rollbackText', { number })}</p>
    </FormDialog>
  );
}
