import { notFound } from '@switchyard/server';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import type { BoardActor } from '../../../kernel/actor';
import { type Call, inTransaction } from '../../../kernel/call';
import { deleteTokens } from './token-rows';
import { recordToken } from './tokens';

type PersonCall = Call<string | null> & { actor: BoardActor };

export async function revokeToken(call: PersonCall, id: string): Promise<void> {
  requireSignIn(call.context);
  if ((await revoke(call, id)) === 0) throw notFound('token');
}

export async function revokeTokens(call: PersonCall): Promise<void> {
  requireSignIn(call.context);
  await revoke(call, undefined);
}

async function revoke(call: PersonCall, id: string | undefined): Promise<number> {
  const { userId } = call.actor;
  return inTransaction(call, async (tx) => {
    const revoked = await deleteTokens(tx, userId, id);
    for (const token of revoked) {
      await recordToken(tx, { ...token, userId }, 'personal_token.revoked');
    }
    return revoked.length;
  });
}
