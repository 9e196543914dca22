import { useState } from 'react';
import { usePages, useRead } from '../../../data/read';
import { useMayWrite } from '../../../data/rights';
import { t } from '../../../i18n';
import { Button } from '../../../ui/button';
import { Choose } from '../../../ui/choices/choose';
import { Dialog } from '../../../ui/dialogs/dialog';
import { Markdown } from '../../../ui/markdown/markdown';
import { Loading } from '../../../ui/states';
import { TextDiff } from '../../../ui/text-diff/text-diff';
import { Ago } from '../../../ui/time';
import type { Issue } from '../issue';
import { NEW_DOCUMENT, useDocumentAddress } from './document-address';
import { DocumentForm } from './document-form';

export function DocumentDialog({ issue }: { issue: Issue }) {
  const { key, open, close } = useDocumentAddress();
  const [isEditing, setEditing] = useState(false);
  if (key === undefined) return null;
  if (key === NEW_DOCUMENT) {
    return (
      <Dialog title={t('issue.newDocument')} onClose={close} width="lg">
        <DocumentForm issueId={issue.id} onDone={(made) => open(made)} onCancel={close} />
      </Dialog>
    );
  }
  const summary = issue.documentSummaries.find((each) => each.key === key);
  return (
    <Dialog
      key={key}
      title={summary?.title || key}
      width="lg"
      onClose={() => {
        setEditing(false);
        close();
      }}
    >
      {isEditing ? (
        <Editing issueId={issue.id} documentKey={key} onEnd={() => setEditing(false)} />
      ) : (
        <Reading issueId={issue.id} documentKey={key} onEdit={() => setEditing(true)} />
      )}
    </Dialog>
  );
}

function Editing({
  issueId,
  documentKey,
  onEnd,
}: {
  issueId: string;
  documentKey: string;
  onEnd: () => void;
}) {
  const document = useRead('/api/issues/{issueId}/documents/{key}', {
    path: { issueId, key: documentKey },
  });
  return (
    <Loading of={document}>
      {(data) => <DocumentForm issueId={issueId} document={data} onDone={onEnd} onCancel={onEnd} />}
    </Loading>
  );
}

function Reading({
  issueId,
  documentKey,
  onEdit,
}: {
  issueId: string;
  documentKey: string;
  onEdit: () => void;
}) {
  const mayWrite = useMayWrite();
  const address = useDocumentAddress();
  const [isComparing, setComparing] = useState(false);
  const pages = usePages('/api/issues/{issueId}/documents/{key}/revisions', {
    path: { issueId, key: documentKey },
  });
  return (
    <Loading of={{ ...pages, data: pages.items }}>
      {(revisions) => {
        const numbers = revisions.map(({ revisionNumber }) => revisionNumber);
        const wanted = address.revision ?? Math.max(...numbers);
        const shown = revisions.find(({ revisionNumber }) => revisionNumber === wanted);
        const before = revisions.find(({ revisionNumber }) => revisionNumber === wanted - 1);
        if (!shown && pages.hasNextPage) void pages.fetchNextPage();
        return (
          <>
            <div className="mb-3 flex flex-wrap items-center gap-2 border-b border-line pb-3">
              <Choose
                label={t('issue.revisions')}
                choices={numbers.map((number) => ({
                  value: `${number}`,
                  label: t('issue.revision', { number }),
                }))}
                value={`${wanted}`}
                onChoose={(number) => address.open(documentKey, Number(number))}
              />
              {shown && <Ago at={shown.createdAt} className="text-sm text-muted" />}
              <span className="flex-1" />
              {before && (
                <Button
                  aria-pressed={isComparing}
                  className="aria-pressed:bg-selected"
                  onClick={() => setComparing(!isComparing)}
                >
                  {t('issue.compare', { number: before.revisionNumber })}
                </Button>
              )}
              {mayWrite && <Button onClick={onEdit}>{t('action.edit')}</Button>}
            </div>
            {shown && isComparing && before ? (
              <TextDiff before={before.body} after={shown.body} />
            ) : shown?.format === 'markdown' ? (
              <Markdown text={shown.body} />
            ) : (
              <pre className="overflow-x-auto font-mono text-sm">{shown?.body}</pre>
            )}
          </>
        );
      }}
    </Loading>
  );
}
