/** How to get into a cluster of ours. */
export interface PostgresServer {
  port: number;
  /** The superuser's. */
  password: string;
  /** Those of the roles. */
  roles: Record<string, string>;
}

export const SUPERUSER = 'switchyard';

/** Who connects to a cluster of ours: each service with a role of its own, and the owner to migrate. */
export const ROLES = {
  owner: 'switchyard_owner',
  orchestration: 'switchyard_app',
  metrics: 'switchyard_metrics',
};

/** As the cluster's superuser, who makes roles; never for a service. */
export const urlOf = (
  { password, port }: Pick<PostgresServer, 'password' | 'port'>,
  database = 'postgres',
) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

export const roleUrlOf = (
  { roles, port }: PostgresServer,
  role: keyof typeof ROLES,
  database: string,
) => `postgresql://${ROLES[role]}:${roles[role]}@127.0.0.1:${port}/${database}`;
