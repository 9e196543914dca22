/** Who connects to a cluster of ours: each service with a role of its own, and the owner to migrate. */
export const ROLES = {
  owner: 'switchyard_owner',
  orchestration: 'switchyard_app',
  metrics: 'switchyard_metrics',
};

/** A URL of `role` on the server that runs; null where an earlier release, which had no roles, started it. */
export function roleUrlOf({ roles, port }, role, database) {
  const password = roles?.[role];
  return password ? `postgresql://${ROLES[role]}:${password}@127.0.0.1:${port}/${database}` : null;
}
