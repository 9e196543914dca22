import { newId } from '@switchyard/db';
import type { CreateInviteBody, InviteView } from '@switchyard/types';
import type { Request } from 'express';
import { assertRecentSignIn } from '../../../access/sign-in/recent-sign-in';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import { newToken } from '../../../access/sign-in/tokens';
import { actorColumns } from '../../../kernel/actor';
import { type Call, inTransaction } from '../../../kernel/call';
import { databaseTime } from '../../../state/database-time';
import { assertStillOwner } from './invites';

/**
 * Only this response contains the token, after the `#` of its URL, so that no server logs it.
 * @throws ApiError 403 `recent_sign_in_required` unless the invited role is viewer; 409 in local
 * mode
 */
export async function createInvite(
  call: Call & { request: Request },
  body: CreateInviteBody,
): Promise<InviteView> {
  requireSignIn(call.context);
  if (body.role !== 'viewer') await assertRecentSignIn(call);
  const { companyId, actor } = call;
  const { token, hash } = newToken();
  return inTransaction(call, async (tx) => {
    await assertStillOwner(tx);
    const now = await databaseTime(tx);
    const { id, expiresAt } = await tx.prisma.invite.create({
      data: {
        id: newId(),
        companyId,
        tokenHash: hash,
        email: body.email ?? null,
        role: body.role,
        createdByUserId: actorColumns(actor).actorId ?? '',
        expiresAt: new Date(now + DAYS * DAY_MS),
      },
    });
    await tx.record('invite.created', id, { role: body.role, email: body.email ?? null });
    const url = `${call.context.config.publicUrl}/sign-in#invite=${token}`;
    return { id, token, url, role: body.role, expiresAt: expiresAt.toISOString() };
  });
}

const DAYS = 7;
const DAY_MS = 86_400_000;
