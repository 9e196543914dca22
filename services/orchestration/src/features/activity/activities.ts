import type { Reply } from '@switchyard/server';
import type { ListActivityQuery, ListedActivityView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestFirstList } from '../../lists/newest-first';
import { actorName } from '../../lists/row-facts';
import { ACTIVITY_VIEW } from '../../state/activity';

/** Who did what in a company, newest first. */
export async function listActivities(
  { db, companyId }: Call,
  query: ListActivityQuery,
): Promise<Reply<ListedActivityView[]>> {
  return (await readActivities(db, { ...query, companyId })) as Reply<ListedActivityView[]>;
}

const named = (table: string, name: string, identifier = 'NULL') =>
  `(SELECT json_build_object('name', named.${name}, 'identifier', ${identifier}) FROM ${table} named
    WHERE named.id = listed.entity_id::uuid)`;

/** One look into one index for each row. Ids of entities are texts, and not all of them are UUIDs. */
const ENTITY = `CASE WHEN listed.entity_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN NULL
  ELSE CASE listed.entity_type
    WHEN 'issue' THEN ${named('issue', 'title', 'named.identifier')}
    WHEN 'agent' THEN ${named('agent', 'name')}
    WHEN 'heartbeat_run' THEN (SELECT json_build_object('name', worker.name, 'identifier', about.identifier)
      FROM heartbeat_run named JOIN agent worker ON worker.id = named.agent_id
      LEFT JOIN issue about ON about.id = named.issue_id WHERE named.id = listed.entity_id::uuid)
    WHEN 'routine' THEN ${named('routine', 'title')}
    WHEN 'project' THEN ${named('project', 'name')}
    WHEN 'goal' THEN ${named('goal', 'title')}
    WHEN 'secret' THEN ${named('secret', 'name')}
    WHEN 'label' THEN ${named('label', 'name')}
    WHEN 'workspace' THEN ${named('workspace', 'name')}
    WHEN 'company' THEN ${named('company', 'name')}
  END END`;

const readActivities = newestFirstList('list-activity', {
  table: 'activity',
  gives: ACTIVITY_VIEW,
  derived: {
    actorName: ['text?', actorName('listed')],
    entity: ['json?', ENTITY],
  },
  filters: {
    entityType: 'entity_type',
    entityId: 'entity_id',
    actorId: 'actor_id',
    action: 'action',
  },
});
