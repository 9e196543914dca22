import { itemSql, patch, type Source } from '../../source';

export const endpoints: Source = {
  kinds: ['endpoint_disabled'],
  sql: () => [
    itemSql(
      'endpoint_disabled',
      {
        id: 'e.id',
        since: 'coalesce(e.failing_since, e.updated_at)',
        facts: `jsonb_build_object('host', e.host, 'reason', e.disabled_reason)`,
      },
      `FROM firm JOIN endpoint e ON e.company_id = firm.id
      WHERE e.status = 'disabled' AND e.disabled_reason IN ('gone', 'failing', 'restored')`,
    ),
  ],
  present: ({ id, facts }) => ({
    title: `Repair the webhook to ${facts.host}`,
    reason: REASONS[String(facts.reason)] ?? 'It is disabled',
    actions: [
      patch('enable_endpoint', 'Enable it again', `/api/endpoints/${id}`, {
        body: { status: 'enabled' },
      }),
    ],
  }),
};

const REASONS: Record<string, string> = {
  gone: 'It answered 410: it wants nothing further',
  failing: 'Nothing arrived there for three days',
  restored: 'It came with a backup, and the system that the backup is of may still send to it',
};
