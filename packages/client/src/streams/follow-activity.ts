import type { OrchestrationClient, Schemas } from '../create-client';
import { unwrap } from '../unwrap';
import { type FollowSettings, followStream } from './follow-stream';

export interface ActivityEvent {
  id: string;
  activity: Schemas['Activity'];
}

/**
 * Yields each activity of a company once; without `lastEventId` only new ones. Reconnects after a
 * lost connection and resumes after the last activity.
 * @throws RefusedError when the caller may not read the company, or the signal's reason
 */
export async function* followActivity(
  client: OrchestrationClient,
  companyId: string,
  settings: FollowSettings = {},
): AsyncGenerator<ActivityEvent, void, undefined> {
  const { signal } = settings;
  const connect = (lastEventId: string) =>
    unwrap(
      client.GET('/api/companies/{companyId}/events', {
        params: {
          path: { companyId },
          header: lastEventId ? { 'Last-Event-ID': lastEventId } : {},
        },
        parseAs: 'stream',
        ...(signal && { signal }),
      }),
    );
  for await (const { id, data } of followStream(connect, settings)) {
    yield { id, activity: JSON.parse(data) };
  }
}
