import { foreignKeyViolation, newId, uniqueViolation } from '@switchyard/db';
import { forbidden, unprocessable } from '@switchyard/server';
import type { CreatedPersonalTokenView, CreatePersonalTokenBody } from '@switchyard/types';
import { newPersonalToken } from '../../../access/personal-tokens';
import { assertRecentSignIn, holdSession } from '../../../access/sign-in/recent-sign-in';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import type { BoardActor } from '../../../kernel/actor';
import { inTransaction, type Tx } from '../../../kernel/call';
import { databaseTime } from '../../../state/database-time';
import type { SignInCall } from '../sessions/sign-in-call';
import { deleteDeviceCode, findDeviceToken, unknownCode } from './device-codes';
import { insertToken } from './token-rows';
import { presentToken, recordToken } from './tokens';

type PersonCall = SignInCall & { actor: BoardActor };

/**
 * Creates a token, which only this response contains; or, with `userCode`, makes the token valid
 * that a waiting terminal has. The token has the caller's roles at the time of each request.
 * @throws ApiError 403 `recent_sign_in_required`, `cross_company`; 422 for an unknown company; 409
 * in local mode
 */
export async function createToken(
  call: PersonCall,
  body: CreatePersonalTokenBody,
): Promise<CreatedPersonalTokenView> {
  requireSignIn(call.context);
  const session = await assertRecentSignIn(call);
  const { userId } = call.actor;
  const { name, scope, companyId = null, expiresInDays, userCode } = body;
  const { token, prefix, hash } =
    userCode === undefined ? newPersonalToken() : await findDeviceToken(call.context, userCode);
  return inTransaction(call, async (tx) => {
    await holdSession(tx, session);
    if (companyId) await assertMember(tx, userId, companyId);
    const now = await databaseTime(tx);
    const expiresAt = new Date(now + expiresInDays * DAY_MS);
    const expires = { expiresAt: expiresAt.toISOString() };
    const id = newId();
    const data = { id, userId, companyId, name, scope, prefix, hash, ...expires };
    await insertToken(tx, data).catch((error: unknown) => {
      if (uniqueViolation(error) !== null) throw unknownCode();
      throw foreignKeyViolation(error) === null ? error : noMember();
    });
    if (userCode !== undefined) tx.afterCommit(() => deleteDeviceCode(call.context, userCode));
    const row = await tx.prisma.personalToken.findUniqueOrThrow({ where: { id } });
    const forTerminal = userCode !== undefined && { forTerminal: true };
    await recordToken(tx, row, 'personal_token.created', { ...expires, ...forTerminal });
    const { lastUsedAt: _, ...shown } = presentToken(row);
    return { ...shown, ...(token !== undefined && { token }) };
  });
}

const DAY_MS = 86_400_000;

async function assertMember(tx: Tx<string | null>, userId: string, companyId: string) {
  if (await tx.prisma.membership.findFirst({ where: { userId, companyId } })) return;
  const company = await tx.prisma.company.findUnique({ where: { id: companyId } });
  if (company) throw noMember();
  throw unprocessable(
    'unknown_reference',
    `companyId must name an existing company: ${YOURS}`,
    FIELD,
  );
}

const FIELD = { field: 'companyId' };
const YOURS = 'use the id of a company in GET /api/companies';
const noMember = () =>
  forbidden('cross_company', `companyId must be one of your companies: ${YOURS}`, FIELD);
