import type { Transaction } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import type { MemberView, Role } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { newestCursor, newestFirst, page } from '../../../lists/page';
import { presentMember } from '../present-person';

export async function listMembers(
  { db, companyId }: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await db.prisma.membership.findMany({
    where: { companyId, AND: after },
    include: WITH_USER,
    orderBy,
    take,
  });
  return page(rows, query.limit, presentMember, newestCursor);
}

export async function getMember(tx: Transaction, id: string): Promise<MemberView> {
  const row = await tx.prisma.membership.findUnique({ where: { id }, include: WITH_USER });
  if (!row) throw notFound('member');
  return presentMember(row);
}

/** Call under `lockMembers`. @throws ApiError 409 for the last owner */
export async function assertOwnerRemains(
  tx: Transaction,
  member: MemberView,
  becomes: Role | null,
): Promise<void> {
  if (member.role !== 'owner' || becomes === 'owner') return;
  const { companyId } = member;
  if ((await tx.prisma.membership.count({ where: { companyId, role: 'owner' } })) > 1) return;
  throw conflict(
    'conflict',
    'a company must have at least one owner: make another member an owner first',
    { reason: 'last_owner' },
  );
}

const WITH_USER = { user: { select: { email: true, name: true } } } as const;
