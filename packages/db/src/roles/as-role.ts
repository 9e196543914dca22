import { Client } from 'pg';
import type { RoleUrl } from './role-url';

const WRONG_PASSWORD = ['28P01', '28000'];
const NO_SUCH_DATABASE = '3D000';
const REFUSED = '42501';

function unreachable({ variable, role, database }: RoleUrl, error: { code?: string }): string {
  if (WRONG_PASSWORD.includes(error.code ?? '')) {
    return `correct role and password of ${variable}, or set DATABASE_ADMIN_URL to a role that may create roles`;
  }
  if (error.code === NO_SUCH_DATABASE) {
    return `create the database "${database}", or set DATABASE_ADMIN_URL to have it created`;
  }
  if (error.code === REFUSED) return `GRANT CONNECT ON DATABASE "${database}" TO "${role}"`;
  return `check that the server of ${variable} is running and can be reached`;
}

export async function asRole<T>(who: RoleUrl, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: who.url, application_name: 'switchyard-migrate' });
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error) => {
      const said = error.message || error.code || String(error);
      throw new Error(
        `${who.variable} (role "${who.role}") cannot connect: ${said}; ${unreachable(who, error)}`,
      );
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
