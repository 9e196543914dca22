import { itemsOf, patch, type Source } from '../../source';

export const endpoints: Source = {
  kinds: ['endpoint_disabled'],
  items: () => [
    itemsOf(
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
    reason: REASONS[String(facts.reason)] ?? 'The webhook is disabled',
    actions: [
      patch('enable_endpoint', 'Enable again', `/api/endpoints/${id}`, {
        body: { status: 'enabled' },
      }),
    ],
  }),
};

const REASONS: Record<string, string> = {
  gone: 'The receiver responded with 410: it accepts no more deliveries',
  failing: 'All deliveries of the last three days failed',
  restored: 'It was restored from a backup, and the original system may still send to it',
};
