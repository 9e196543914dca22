import { ask, type Database, statement } from '@switchyard/db';
import { POD_INSTANCE } from '../runs/claims/pod-instance';

export const POD_RUNNER_NAME = 'kubernetes run pods';

export async function enterPodInstance(
  db: Database,
  placement: { labels: string[]; capacity: number },
): Promise<void> {
  await ask(db, enter, { ...placement, instance: POD_INSTANCE, name: POD_RUNNER_NAME });
}

const enter = statement('enter-pod-instance', {
  takes: { instance: 'uuid', name: 'text', labels: 'text[]', capacity: 'int' },
  gives: {},
  sql: (p) => `
    INSERT INTO runner_instance (id, name, labels, capacity, sandbox_driver, sandbox_detail)
    VALUES (${p.instance}, ${p.name}, ${p.labels}, ${p.capacity}, 'pod', 'a pod for each run')
    ON CONFLICT (id) DO UPDATE
      SET labels = excluded.labels, capacity = excluded.capacity, last_seen_at = now(), replaced_at = NULL`,
});
