import type { Database } from '@switchyard/db';
import { notFound, type Reply } from '@switchyard/server';
import type { ListRunnersQuery, RunnerView } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { newestFirstList } from '../../../lists/newest-first';

export async function listRunners(
  { db, companyId }: Call,
  query: ListRunnersQuery,
): Promise<Reply<RunnerView[]>> {
  return listedRunners(db, { ...query, companyId });
}

export async function readRunner(db: Database, companyId: string, id: string): Promise<RunnerView> {
  const [runner] = await listedRunners.byIds(db, companyId, [id]);
  if (!runner) throw notFound('runner');
  return runner;
}

const PRESENT = "interval '2 minutes'";

const listedRunners = newestFirstList('list-runners', {
  table: 'runner',
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    name: 'text',
    createdAt: 'time',
    lastSeenAt: 'time?',
  },
  derived: {
    labels: ['text[]', "coalesce(listed.labels, '{}')"],
    instances: [
      'json',
      `(SELECT coalesce(jsonb_agg(jsonb_build_object(
          'name', i.name, 'capacity', i.capacity,
          'sandbox', jsonb_build_object('driver', i.sandbox_driver, 'detail', i.sandbox_detail),
          'lastSeenAt', to_char(i.last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'runs', (SELECT count(*) FROM heartbeat_run r
            WHERE r.runner_instance = i.id AND r.status = 'running')) ORDER BY i.name), '[]')
        FROM runner_instance i
        WHERE i.company_id = listed.company_id AND i.runner_id = listed.id
          AND i.replaced_at IS NULL AND i.last_seen_at > now() - ${PRESENT})`,
    ],
  },
  where: 'listed.revoked_at IS NULL',
});
