import { errorFields, invalidField } from '@switchyard/server';
import { requireProvider } from '../../../access/sign-in/provider';
import { deleteProviderSession, deleteSessions } from '../../../access/sign-in/session-rows';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import { SYSTEM } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import { recordPerson } from '../record-person';
import type { SignInCall } from '../sessions/sign-in-call';
import { deleteTokens } from '../tokens/token-rows';

/**
 * Back-channel logout: ends the session that the provider names, or all sessions of the person, and
 * revokes the person's personal access tokens.
 * @throws ApiError 400 for a logout token that is not valid
 */
export async function endProviderSessions(call: SignInCall, token: string): Promise<void> {
  const { logger } = requireSignIn(call.context);
  const provider = requireProvider(call.context);
  const { issuer, subject, session } = await provider.readLogout(token).catch((error: unknown) => {
    logger.info('a logout token was refused', errorFields(error));
    throw invalidField('logout_token', 'must be a valid logout token of the identity provider');
  });
  await inTransaction(call, async (tx) => {
    const ended = new Map<string, number>();
    if (session !== null) {
      for (const userId of await deleteProviderSession(tx, issuer, session)) ended.set(userId, 1);
    } else if (subject !== null) {
      const where = { providerIssuer: issuer, providerSubject: subject };
      const person = await tx.prisma.person.findFirst({ where, select: { id: true } });
      if (person) ended.set(person.id, await deleteSessions(tx, person.id));
    }
    for (const [userId, endedSessions] of ended) {
      const revokedTokens = (await deleteTokens(tx, userId)).length;
      const details = { endedSessions, revokedTokens };
      await recordPerson(tx, userId, SYSTEM, 'person.provider_signed_out', details);
    }
  });
}
