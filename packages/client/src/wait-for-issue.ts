import type { OrchestrationClient, Schemas } from './create-client';
import { delay } from './delay';
import { isTemporary } from './is-temporary';
import { unwrap } from './unwrap';

const ENDED = ['done', 'cancelled'];

/**
 * Returns an issue once it is done or cancelled. Waits through restarts and overload of the
 * service.
 * @throws RefusedError when the caller may not read the issue, or the signal's reason
 */
export async function waitForIssue(
  client: OrchestrationClient,
  issueId: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Schemas['IssueDetail']> {
  const query = { wait: 25, until: 'ended' as const };
  const init = { params: { path: { issueId }, query }, ...(signal && { signal }) };
  let connected = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const issue = await unwrap(client.GET('/api/issues/{issueId}', init));
      if (ENDED.includes(issue.status)) return issue;
      connected = true;
    } catch (error) {
      if (!isTemporary(error, connected)) throw error;
      await delay(1_000, signal);
    }
  }
}
