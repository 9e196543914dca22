import type { InviteModel, Transaction } from '@switchyard/db';
import { forbidden } from '@switchyard/server';
import type { Actor } from '../../access/actor';
import { assertOwner } from '../../access/rules';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { recordActivities } from '../../state/activity';
import { databaseNow } from './database-now';
import { presentOpenInvite } from './present-person';

/** What can still be accepted, to owners alone: an invite says whom the company expects. */
export async function listInvites(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const { db, actor, companyId } = call;
  assertOwner(actor, companyId);
  const { after, orderBy, take } = newestFirst(query);
  const rows = await db.prisma.invite.findMany({
    where: { companyId, acceptedAt: null, expiresAt: { gt: await databaseNow(db) }, AND: after },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentOpenInvite, newestCursor);
}

/**
 * Holds the company against whoever changes its members (`lockMembers`) and looks whether somebody still is
 * an owner of it.
 * @throws ApiError 403
 */
export async function assertStillOwner(
  tx: Transaction,
  companyId: string,
  actor: Actor,
): Promise<void> {
  await tx.prisma.$queryRaw`SELECT 1 FROM company WHERE id = ${companyId}::uuid FOR SHARE`;
  if (actor.type !== 'board' || actor.roles === 'all') return;
  const { userId } = actor;
  if (await tx.prisma.membership.findFirst({ where: { companyId, userId, role: 'owner' } })) return;
  throw forbidden('forbidden', 'only an owner of the company may do this');
}

/** Why an invite ends before it was accepted; null for somebody who wants it so. */
export type RevocationReason = 'member_removed' | 'role_changed' | null;

export async function endInvite(
  tx: Transaction,
  actor: Actor,
  invite: InviteModel,
  reason: RevocationReason,
) {
  await tx.prisma.invite.delete({ where: { id: invite.id } });
  await recordActivities(tx, [
    {
      companyId: invite.companyId,
      actor,
      action: 'invite.revoked',
      entityType: 'invite',
      entityId: invite.id,
      details: { role: invite.role, email: invite.email, reason },
    },
  ]);
}

/** The open invites among some, held until the transaction ends, so that nobody accepts one meanwhile. */
export async function lockOpenInvites(tx: Transaction, ids: string[]): Promise<InviteModel[]> {
  const open = await tx.prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM invite WHERE id = ANY (${ids}::uuid[]) AND accepted_at IS NULL ORDER BY id FOR UPDATE`;
  return tx.prisma.invite.findMany({ where: { id: { in: open.map(({ id }) => id) } } });
}

/**
 * Ends the open invites that somebody made, who may not make such any more; and with `email` those that
 * would let the owner of that address in.
 */
export async function revokeInvitesOf(
  tx: Transaction,
  actor: Actor,
  member: { companyId: string; userId: string; email?: string },
  reason: RevocationReason,
): Promise<void> {
  const { companyId, userId, email } = member;
  const from = [{ createdByUserId: userId }, ...(email === undefined ? [] : [{ email }])];
  const found = await tx.prisma.invite.findMany({
    where: { companyId, acceptedAt: null, OR: from },
    select: { id: true },
  });
  const ids = found.map(({ id }) => id);
  for (const invite of await lockOpenInvites(tx, ids)) await endInvite(tx, actor, invite, reason);
}
