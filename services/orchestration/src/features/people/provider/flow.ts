import type { Request } from 'express';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { SignInRequest } from '../../../access/sign-in/provider';
import type { SignIn } from '../../../access/sign-in/sign-in';

/** A sign-in in progress, from the redirect to the provider until the browser returns. */
export interface Flow extends SignInRequest {
  next: string;
  invite?: string;
  linkTo?: string;
}

const NAME = 'service.provider';
const LIFE_SEC = 600;
const PATH = '/sign-in';

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  invite: z.string().optional(),
  linkTo: z.uuid().optional(),
});

/** Stores the flow in a signed cookie, so that only the browser that began it can end it. */
export function rememberFlow({ flowKeys: [key], sessions }: SignIn, request: Request, begun: Flow) {
  const value = jwt.sign({ ...begun }, key, { algorithm: 'HS256', expiresIn: LIFE_SEC });
  request.res?.cookie(nameOf(sessions), value, {
    ...attributes(sessions),
    maxAge: LIFE_SEC * 1000,
  });
}

export function takeFlow({ flowKeys, sessions }: SignIn, request: Request): Flow | null {
  const name = nameOf(sessions);
  const pairs = (request.get('cookie') ?? '').split(/;\s*/);
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  if (value === undefined) return null;
  request.res?.clearCookie(name, attributes(sessions));
  for (const key of flowKeys) {
    try {
      return flow.parse(jwt.verify(value, key, { algorithms: ['HS256'] }));
    } catch {}
  }
  return null;
}

type Sessions = SignIn['sessions'];

const nameOf = ({ secureCookie }: Sessions) => `${secureCookie ? '__Secure-' : ''}${NAME}`;

/** `lax`, because the provider's redirect comes from another site. */
const attributes = ({ secureCookie }: Sessions) =>
  ({ path: PATH, httpOnly: true, sameSite: 'lax', secure: secureCookie }) as const;
