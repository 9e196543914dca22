import type { Reply } from '@switchyard/server';
import type { ListActivityQuery, ListedActivityView } from '@switchyard/types';
import { ACTIVITY_VIEW } from '../../kernel/activity';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { actorName } from '../../lists/row-facts';
import { entityOf, presentEntity } from './entity-of';

export async function listActivities(
  { db, companyId }: Call,
  query: ListActivityQuery,
): Promise<Reply<ListedActivityView[]>> {
  return (await readActivities(db, { ...query, companyId })) as Reply<ListedActivityView[]>;
}

const readActivities = newestFirstList(
  'list-activity',
  {
    table: 'activity',
    gives: ACTIVITY_VIEW,
    derived: {
      actorName: ['text?', actorName('listed')],
      entity: ['text?', entityOf('listed')],
    },
    filters: {
      entityType: 'entity_type',
      entityId: 'entity_id',
      actorId: 'actor_id',
      action: 'action',
    },
  },
  (row) => Object.assign(row, { entity: presentEntity(row.entity) }),
);
