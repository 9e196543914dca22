import type { OrchestrationClient, Schemas } from '../create-client';
import { unwrap } from '../unwrap';
import { type FollowSettings, followStream } from './follow-stream';

export interface ActivityEvent {
  id: string;
  activity: Schemas['Activity'];
}

/**
 * Yields each activity of a company once, as it happens; without `lastEventId` from now on. Reconnects after a lost connection and resumes
 * where it was. Leaving the loop closes the connection. @throws RefusedError when the caller may not follow the company, and the reason of
 * the signal
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
