import type { PersonalTokenModel } from '@switchyard/db';
import type { PersonalTokenView, TokenScope } from '@switchyard/types';
import { signInOf } from '../../../access/sign-in/sign-in';
import { recordActivities } from '../../../kernel/activity';
import { type BoardActor, personActor } from '../../../kernel/actor';
import type { Call, Tx } from '../../../kernel/call';
import { newestCursor, newestFirst, page } from '../../../lists/page';

export async function listTokens(
  call: Call<string | null> & { actor: BoardActor },
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const { userId } = call.actor;
  const rows = signInOf(call.context)
    ? await call.db.prisma.personalToken.findMany({ where: { userId, AND: after }, orderBy, take })
    : [];
  return page(rows, query.limit, presentToken, newestCursor);
}

export function presentToken(row: PersonalTokenModel): PersonalTokenView {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope as TokenScope,
    companyId: row.companyId,
    prefix: row.prefix,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

type RecordedToken = Pick<
  PersonalTokenModel,
  'id' | 'userId' | 'companyId' | 'name' | 'scope' | 'prefix'
>;

export async function recordToken(
  tx: Tx<string | null>,
  { id, userId, companyId, name, scope, prefix }: RecordedToken,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const where = { userId, ...(companyId && { companyId }) };
  const reached = await tx.prisma.membership.findMany({ where, select: { companyId: true } });
  const said = { name, scope, prefix, ...details };
  const entry = { actor: personActor(userId), action, entityId: id, details: said };
  await recordActivities(
    tx,
    reached.map((membership) => ({ ...entry, companyId: membership.companyId })),
  );
}
