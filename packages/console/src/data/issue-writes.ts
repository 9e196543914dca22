import { unwrap } from '@switchyard/client';
import { t, word } from '../i18n';
import { api, type Schemas } from './api';
import { type IssueStatus, moveFor } from './issue-moves';
import { useSend } from './send';

type IssueChange = Schemas['UpdateIssueBody'];

export interface Moved {
  id: string;
  status: IssueStatus;
  assigneeAgentId: string | null;
}

interface FieldChange {
  id: string;
  change: IssueChange;
  shown?: Record<string, unknown>;
}

export function useChangeIssue() {
  return useSend(
    ({ id, change }: FieldChange) =>
      unwrap(
        api.PATCH('/api/issues/{issueId}', { params: { path: { issueId: id } }, body: change }),
      ),
    {
      optimistic: ({ id, change, shown }) => {
        const { blockedBy: _, ...fields } = change;
        return { id, changes: { ...fields, ...shown } };
      },
    },
  );
}

export function useMoveIssue(onDone?: (issue: Moved, to: IssueStatus) => void) {
  return useSend(({ issue, to }: { issue: Moved; to: IssueStatus }) => move(issue, to), {
    optimistic: ({ issue, to }) =>
      moveFor(issue.status, to) && { id: issue.id, changes: { status: to } },
    onDone: (_answer, { issue, to }) => onDone?.(issue, to),
  });
}

function move({ id, status, assigneeAgentId }: Moved, to: IssueStatus): Promise<unknown> {
  const params = { path: { issueId: id } };
  switch (moveFor(status, to)) {
    case 'update':
      return unwrap(api.PATCH('/api/issues/{issueId}', { params, body: { status: to } }));
    case 'checkout':
      return unwrap(
        api.POST('/api/issues/{issueId}/checkout', {
          params,
          body: {
            expectedStatuses: [status],
            ...(assigneeAgentId && { agentId: assigneeAgentId }),
          },
        }),
      );
    case 'release':
      return unwrap(api.POST('/api/issues/{issueId}/release', { params }));
    case 'complete':
      return unwrap(api.POST('/api/issues/{issueId}/complete', { params, body: {} }));
    case 'reopen':
      return unwrap(api.POST('/api/issues/{issueId}/reopen', { params, body: {} }));
    default:
      return Promise.reject(new Error(refusalOf(status, to)));
  }
}

export const refusalOf = (from: IssueStatus, to: IssueStatus): string =>
  t('issue.noMove', { from: word('issueStatus', from), to: word('issueStatus', to) });
