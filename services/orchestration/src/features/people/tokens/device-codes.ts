import { randomInt } from 'node:crypto';
import { addressOf, errorFields, invalidField } from '@switchyard/server';
import type { DeviceSignInView } from '@switchyard/types';
import { newPersonalToken } from '../../../access/personal-tokens';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import type { Context } from '../../../kernel/context';
import type { SignInCall } from '../sessions/sign-in-call';

const LIFE_SEC = 600;
const INTERVAL_SEC = 5;

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

const newUserCode = () =>
  Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const keyOf = ({ config }: Context, code: string) => `${config.redisPrefix}:device:${code}`;

/**
 * Like RFC 8628, but the device code becomes a personal access token when a signed-in person enters
 * the user code.
 * @throws ApiError 409 in local mode, 429
 */
export async function beginDeviceSignIn({
  context,
  request,
}: SignInCall): Promise<DeviceSignInView> {
  await requireSignIn(context).throttle.beginDevice(addressOf(request));
  const { token, prefix, hash } = newPersonalToken();
  const code = newUserCode();
  const stored = JSON.stringify({ prefix, hash: Buffer.from(hash).toString('base64') });
  await context.shared.set(keyOf(context, code), stored, 'EX', LIFE_SEC);
  const userCode = `${code.slice(0, 4)}-${code.slice(4)}`;
  return {
    deviceCode: token,
    userCode,
    verificationUrl: `${context.config.publicUrl}/account`,
    expiresInSec: LIFE_SEC,
    intervalSec: INTERVAL_SEC,
  };
}

export async function findDeviceToken(context: Context, userCode: string) {
  const stored = await context.shared.get(enteredKey(context, userCode));
  if (stored === null) throw unknownCode();
  const { prefix, hash } = JSON.parse(stored) as { prefix: string; hash: string };
  return { token: undefined, prefix, hash: new Uint8Array(Buffer.from(hash, 'base64')) };
}

export async function deleteDeviceCode(context: Context, userCode: string): Promise<void> {
  await context.shared
    .del(enteredKey(context, userCode))
    .catch((error: unknown) =>
      context.logger.warn('a used device code was not deleted', errorFields(error)),
    );
}

export const unknownCode = () =>
  invalidField('userCode', 'must be a code that `switchyard login` showed recently');

const enteredKey = (context: Context, userCode: string) =>
  keyOf(context, userCode.replace('-', '').toUpperCase());
