import { notFound } from '@switchyard/server';
import type { SecretDetailView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { findUsers } from './secret-users';
import { presentSecret } from './secrets';

export async function getSecret({ db }: Call, secretId: string): Promise<SecretDetailView> {
  const secret = await db.prisma.secret.findUnique({ where: { id: secretId } });
  if (!secret) throw notFound('secret');
  return { ...presentSecret(secret), ...(await findUsers(db, secret)) };
}
