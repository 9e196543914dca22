import { Navigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t } from '../../i18n';
import { useIsBelow } from '../../ui/browser/use-is-narrow';
import { Page } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import { Actions } from './actions';
import { Composer } from './composer/composer';
import { DocumentDialog } from './documents/document-dialog';
import { Entries } from './entries/entries';
import type { Issue } from './issue';
import { Properties } from './properties/properties';
import { Request } from './request';
import { folded, liveRunOf, useThread } from './thread';

export function IssueScreen() {
  const { company, issue: issueId } = useParams({ from: '/$company/issues/$issue' });
  const issue = useRead('/api/issues/{issueId}', { path: { issueId } });
  const identifier = issue.data?.identifier ?? '';
  const request = useRef<HTMLDivElement>(null);
  const isScrolledOn = useIsOutOfView(request, issue.data !== undefined);
  const title = issue.data?.title;
  useEffect(() => {
    if (title) document.title = `${identifier} ${title} · Switchyard`;
  }, [identifier, title]);
  if (issue.data && identifier !== issueId) {
    const params = { company, issue: identifier };
    return <Navigate to="/$company/issues/$issue" params={params} search={true} replace />;
  }
  return (
    <Page
      title={identifier || t('state.loading')}
      aside={isScrolledOn && <span className="line-clamp-1">{title}</span>}
      actions={issue.data && <Actions issue={issue.data} />}
    >
      <Loading of={issue} skeleton={<Skeleton rows={8} height={56} />}>
        {(data) => (
          <div className="mx-auto flex max-w-6xl items-start gap-8 px-4 max-lg:flex-col-reverse max-lg:items-stretch max-lg:gap-0">
            <div className="min-w-0 flex-1 pt-4">
              <div ref={request}>
                <Request key={data.id} issue={data} />
              </div>
              <Thread key={data.id} issue={data} />
            </div>
            <Side issue={data} />
          </div>
        )}
      </Loading>
      {issue.data && <DocumentDialog issue={issue.data} />}
    </Page>
  );
}

function Side({ issue }: { issue: Issue }) {
  const isNarrow = useIsBelow(1024);
  if (!isNarrow) {
    return (
      <aside
        aria-label={t('issue.properties')}
        className="w-72 shrink-0 py-4 max-lg:w-full max-lg:pb-0"
      >
        <Properties issue={issue} />
      </aside>
    );
  }
  return (
    <details className="mt-3 rounded-md border border-line bg-surface px-3 py-2">
      <summary className="text-sm font-medium">{t('issue.properties')}</summary>
      <div className="pt-3">
        <Properties issue={issue} />
      </div>
    </details>
  );
}

function Thread({ issue }: { issue: Issue }) {
  const thread = useThread(issue.id);
  const mayWrite = useMayWrite();
  const end = useRef<HTMLDivElement>(null);
  const isEndHidden = useIsOutOfView(end, thread.data !== undefined);
  const toEnd = () => end.current?.scrollIntoView({ block: 'end' });
  return (
    <Loading of={thread} skeleton={<Skeleton rows={4} height={64} />}>
      {(entries) => (
        <>
          <Entries
            items={folded(entries)}
            hasOlder={thread.hasOlder}
            isReadingOlder={thread.isReadingOlder}
            onOlder={thread.readOlder}
          />
          {/* Lets the last entry scroll above the composer, which has the same height. */}
          <div ref={end} className="-mb-36 h-36" />
          {mayWrite && (
            <Composer
              issue={issue}
              live={liveRunOf(entries)}
              onEnd={isEndHidden ? toEnd : undefined}
            />
          )}
        </>
      )}
    </Loading>
  );
}

function useIsOutOfView(element: React.RefObject<HTMLElement | null>, isThere: boolean): boolean {
  const [isOut, setOut] = useState(false);
  useEffect(() => {
    if (!isThere || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => setOut(entry?.isIntersecting === false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isThere]);
  return isOut;
}
