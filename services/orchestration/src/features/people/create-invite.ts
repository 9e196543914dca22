import { newId } from '@switchyard/db';
import type { CreateInviteBody, InviteView } from '@switchyard/types';
import { actorColumns } from '../../access/actor';
import { requireSignIn } from '../../access/sign-in';
import { newToken } from '../../access/tokens';
import { type Call, inTransaction } from '../../call';
import { recordActivities } from '../../state/activity';
import { assertStillOwner } from './invites';

const DAYS = 7;

/**
 * An invite for one person, of the address when one is named. The token is in this answer and nowhere
 * else, and behind the `#` of its URL, so that no server's log gets it.
 */
export async function createInvite(call: Call, body: CreateInviteBody): Promise<InviteView> {
  requireSignIn(call.context.signIn);
  const { companyId, actor } = call;
  const { token, hash } = newToken();
  return inTransaction(call, async (tx) => {
    await assertStillOwner(tx, companyId, actor);
    const [until] = await tx.prisma.$queryRaw<{ at: Date }[]>`
      SELECT now() + make_interval(days => ${DAYS}::int) AS at`;
    const { id, expiresAt } = await tx.prisma.invite.create({
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
    await recordActivities(tx, [
      {
        companyId,
        actor,
        action: 'invite.created',
        entityType: 'invite',
        entityId: id,
        details: { role: body.role, email: body.email ?? null },
      },
    ]);
    const url = `${call.context.config.publicUrl}/login#invite=${token}`;
    return { id, token, url, role: body.role, expiresAt: expiresAt.toISOString() };
  });
}
