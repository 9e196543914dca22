import type { Reply } from '@switchyard/server';
import type { ActivityView, ListActivityQuery } from '@switchyard/types';
import type { Call } from '../../call';
import { newestFirstList } from '../../lists/newest-first';
import { ACTIVITY_VIEW } from '../../state/activity';

/** Who did what in a company, newest first. */
export async function listActivities(
  { db, companyId }: Call,
  query: ListActivityQuery,
): Promise<Reply<ActivityView[]>> {
  return (await readActivities(db, { ...query, companyId })) as Reply<ActivityView[]>;
}

const readActivities = newestFirstList('list-activity', {
  table: 'activity',
  gives: ACTIVITY_VIEW,
  filters: {
    entityType: 'entity_type',
    entityId: 'entity_id',
    actorId: 'actor_id',
    action: 'action',
  },
});
