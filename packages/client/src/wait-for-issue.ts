import type { OrchestrationClient, Schemas } from './create-client';
import { readUntil } from './read-until';
import { unwrap } from './unwrap';

const ENDED = ['done', 'cancelled'];

/**
 * Returns an issue once it is done or cancelled. Keeps waiting while the service restarts or is
 * overloaded.
 * @throws RefusedError when the caller may not read the issue, or the signal's reason
 */
export function waitForIssue(
  client: OrchestrationClient,
  issueId: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Schemas['IssueDetail']> {
  const query = { wait: 25, until: 'ended' as const };
  const init = { params: { path: { issueId }, query }, ...(signal && { signal }) };
  return readUntil(
    () => unwrap(client.GET('/api/issues/{issueId}', init)),
    ({ status }) => ENDED.includes(status),
    { intervalMs: 0, signal },
  );
}
