import { ask, type InviteModel, statement } from '@switchyard/db';
import { forbidden, type Reply } from '@switchyard/server';
import type { ListedInviteView } from '@switchyard/types';
import { assertOwner } from '../../../access/rules';
import type { Call, Tx } from '../../../kernel/call';
import { newestFirstList } from '../../../lists/newest-first';
import { userName } from '../../../lists/row-facts';
import { shareCompany } from './company-locks';

export async function listInvites(
  { db, actor, companyId }: Call,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedInviteView[]>> {
  assertOwner(actor, companyId);
  return (await readInvites(db, { ...query, companyId })) as Reply<ListedInviteView[]>;
}

const readInvites = newestFirstList('list-invites', {
  table: 'invite',
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    email: 'text?',
    role: 'text',
    createdByUserId: 'text',
    createdAt: 'time',
    expiresAt: 'time',
  },
  derived: { createdByName: ['text?', userName('listed.created_by_user_id')] },
  where: 'listed.accepted_at IS NULL AND listed.expires_at > now()',
});

/**
 * Also locks the members (`lockMembers`).
 * @throws ApiError 403 for a former owner
 */
export async function assertStillOwner(tx: Tx): Promise<void> {
  const { actor, companyId } = tx;
  await shareCompany(tx, companyId);
  if (actor.type !== 'board' || actor.roles === 'all') return;
  const { userId } = actor;
  if (await tx.prisma.membership.findFirst({ where: { companyId, userId, role: 'owner' } })) return;
  throw forbidden('forbidden', 'only an owner of the company may do this');
}

export type RevocationReason = 'member_removed' | 'role_changed' | null;

export async function endInvite(
  tx: Tx,
  { id, role, email }: InviteModel,
  reason: RevocationReason,
): Promise<void> {
  await tx.prisma.invite.delete({ where: { id } });
  await tx.record('invite.revoked', id, { role, email, reason });
}

export async function lockOpenInvites(tx: Tx, ids: string[]): Promise<InviteModel[]> {
  const open = await ask(tx, lockOpen, { ids });
  return tx.prisma.invite.findMany({ where: { id: { in: open.map(({ id }) => id) } } });
}

export async function revokeInvitesOf(
  tx: Tx,
  { userId, email }: { userId: string; email?: string },
  reason: RevocationReason,
): Promise<void> {
  const { companyId } = tx;
  const from = [{ createdByUserId: userId }, ...(email === undefined ? [] : [{ email }])];
  const found = await tx.prisma.invite.findMany({
    where: { companyId, acceptedAt: null, OR: from },
    select: { id: true },
  });
  const ids = found.map(({ id }) => id);
  for (const invite of await lockOpenInvites(tx, ids)) await endInvite(tx, invite, reason);
}

const lockOpen = statement('lock-open-invites', {
  takes: { ids: 'uuid[]' },
  gives: { id: 'uuid' },
  sql: ({ ids }) => `
    SELECT id FROM invite WHERE id = ANY (${ids}) AND accepted_at IS NULL ORDER BY id FOR UPDATE`,
});
