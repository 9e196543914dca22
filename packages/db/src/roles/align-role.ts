import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { RoleUrl } from './role-url';

const ALLOWED = {
  rolcanlogin: [true, 'LOGIN'],
  rolsuper: [false, 'NOSUPERUSER'],
  rolcreatedb: [false, 'NOCREATEDB'],
  rolcreaterole: [false, 'NOCREATEROLE'],
  rolbypassrls: [false, 'NOBYPASSRLS'],
  rolreplication: [false, 'NOREPLICATION'],
} as const;
const EVERY = Object.values(ALLOWED).map(([, word]) => word);

const EXISTS_ALREADY = ['42710', '23505'];

async function deviations(client: Client, role: string): Promise<string[] | null> {
  const columns = Object.keys(ALLOWED).join(', ');
  const { rows } = await client.query(`SELECT ${columns} FROM pg_roles WHERE rolname = $1`, [role]);
  if (!rows[0]) return null;
  const wrong = Object.entries(ALLOWED).filter(([column, [value]]) => rows[0][column] !== value);
  return wrong.map(([, [, word]]) => word);
}

export async function alignRole(client: Client, who: RoleUrl): Promise<void> {
  const { variable, role, password } = who;
  const name = client.escapeIdentifier(role);
  const secret = password ? [`PASSWORD ${client.escapeLiteral(scramVerifier(password))}`] : [];
  try {
    if ((await deviations(client, role)) === null) {
      const made = await client
        .query(`CREATE ROLE ${name} ${[...EVERY, ...secret].join(' ')}`)
        .then(
          () => true,
          (error) => {
            if (!EXISTS_ALREADY.includes(error.code)) throw error;
            return false;
          },
        );
      if (made) return;
    }
    const changes = [...((await deviations(client, role)) ?? []), ...secret];
    if (changes.length > 0) await client.query(`ALTER ROLE ${name} ${changes.join(' ')}`);
  } catch (error) {
    throw new Error(
      `role "${role}" of ${variable} cannot be changed to an ordinary role: ${(error as Error).message}; ` +
        'the role of DATABASE_ADMIN_URL must be a superuser, or have CREATEROLE and have created that role',
    );
  }
}

const ITERATIONS = 4096;

/**
 * Returns PostgreSQL's stored form of a password (RFC 5803), so that statement logs never contain
 * the password.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
