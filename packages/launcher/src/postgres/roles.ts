import type { PostgresServer } from './server.js';

/** Who connects to a cluster of ours: each service with a role of its own, and the owner to migrate. */
export const ROLES = {
  owner: 'switchyard_owner',
  orchestration: 'switchyard_app',
  metrics: 'switchyard_metrics',
};

/** Undefined where an earlier release, which had no roles, started the server. */
export function roleUrlOf(
  { roles, port }: PostgresServer,
  role: keyof typeof ROLES,
  database: string,
): string | undefined {
  const password = roles?.[role];
  return password && `postgresql://${ROLES[role]}:${password}@127.0.0.1:${port}/${database}`;
}
