import { inTransaction, newId } from '@switchyard/db';
import type { CreateInviteBody, InviteView } from '@switchyard/types';
import { actorColumns, type Scope } from '../../access/actor';
import { requireSignIn } from '../../access/sign-in';
import { newToken } from '../../access/tokens';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { assertStillOwner } from './invites';

const DAYS = 7;

/**
 * An invite for one person, of the address when one is named. The token is in this answer and nowhere
 * else, and behind the `#` of its URL, so that no server's log gets it.
 */
export async function createInvite(
  effects: Pick<Effects, 'config' | 'signIn'>,
  scope: Scope,
  body: CreateInviteBody,
): Promise<InviteView> {
  requireSignIn(effects.signIn);
  const { companyId, actor } = scope;
  const { token, hash } = newToken();
  return inTransaction(scope.db, async (tx) => {
    await assertStillOwner(tx, companyId, actor);
    const [until] = await tx.$queryRaw<{ at: Date }[]>`
      SELECT now() + make_interval(days => ${DAYS}::int) AS at`;
    const { id, expiresAt } = await tx.invite.create({
      data: {
        id: newId(),
        companyId,
        tokenHash: hash,
        email: body.email ?? null,
        role: body.role,
        createdByUserId: actorColumns(actor).actorId ?? '',
        expiresAt: until?.at as Date,
      },
    });
    await recordActivity(tx, {
      companyId,
      actor,
      action: 'invite.created',
      entityType: 'invite',
      entityId: id,
      details: { role: body.role, email: body.email ?? null },
    });
    const url = `${effects.config.publicUrl}/login#invite=${token}`;
    return { id, token, url, role: body.role, expiresAt: expiresAt.toISOString() };
  });
}
