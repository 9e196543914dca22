import { newId } from '@switchyard/db';
import type { Role } from '@switchyard/types';

import supertest from 'supertest';
import { createPasswords } from '../src/access/sign-in/passwords';
import type { Config } from '../src/config';
import type { SignInSettings } from '../src/settings/sign-in-settings';
import { createBuilders, unique } from './builders';
import { type Harness, startHarness } from './harness';

export const PUBLIC_URL = 'https://board.example.com';
export const SESSION_SECRET = 'a session secret that only the tests know';
export const PASSWORD = 'correct horse battery staple';

export const SIGN_IN: SignInSettings = {
  provider: null,
  acceptsPasswords: true,
  bootstrapToken: null,
  session: {
    secret: SESSION_SECRET,
    oldSecret: null,
    secureCookie: true,
    idleSec: 3_600,
    absoluteSec: 86_400,
  },
  throttle: {
    perAccountAndAddress: 5,
    perAccount: 15,
    perBrowser: 5,
    perAddress: 1_000,
    windowSec: 60,
  },
  passwordCost: 4,
};

const BEHIND_PROXY = { agentPort: 0, trustedProxies: ['loopback'], prometheusHosts: [] };

export interface Person {
  id: string;
  email: string;
}

export interface Operator extends Person {
  cookie: string;
}

function pairOf(answer: { headers: Record<string, unknown> }, name: string): string {
  const all = [answer.headers['set-cookie']].flat();
  return String(all.find((text) => String(text).startsWith(name))).split(';')[0] as string;
}

export const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  pairOf(answer, '__Host-service.sid=');

export const knownBrowserOf = (answer: { headers: Record<string, unknown> }) =>
  pairOf(answer, '__Secure-service.known.');

export type AuthenticatedHarness = Awaited<ReturnType<typeof startAuthenticatedHarness>>;

/**
 * Starts the product in authenticated mode behind https. `build` acts as `founder`, an
 * administrator who owns the companies that it creates.
 */
export async function startAuthenticatedHarness(
  options: { config?: Partial<Config>; context?: Parameters<typeof startHarness>[0] } = {},
) {
  const started: Harness = await startHarness({
    ...options.context,
    config: {
      authMode: 'authenticated',
      publicUrl: PUBLIC_URL,
      signIn: SIGN_IN,
      companyFounders: 'administrators',
      network: BEHIND_PROXY,
      ...options.config,
    },
  });
  const { api, db, context, url } = started;
  started.config.publicUrl = options.config?.publicUrl ?? PUBLIC_URL;
  const passwordHash = await createPasswords(SIGN_IN.passwordCost).hash(PASSWORD);

  const person = async (name = 'Somebody'): Promise<Person> => {
    const row = { id: newId(), email: `${newId()}@example.com`, name: unique(name), passwordHash };
    await db.person.create({ data: row });
    return { id: row.id, email: row.email };
  };
  const logIn = async ({ email }: Person, password = PASSWORD): Promise<supertest.Response> =>
    api.post('/api/auth/login').send({ email, password });
  const join = async ({ id }: Person, companyId: string, role: Role): Promise<string> => {
    const membership = { id: newId(), companyId, userId: id, role };
    await db.membership.create({ data: membership });
    return membership.id;
  };
  const operator = async (companyId?: string, role: Role = 'operator'): Promise<Operator> => {
    const someone = await person(role);
    if (companyId) await join(someone, companyId, role);
    return { ...someone, cookie: cookieOf(await logIn(someone)) };
  };
  const as = ({ cookie }: Pick<Operator, 'cookie'>) => supertest.agent(url).set('Cookie', cookie);

  const administrator = async (): Promise<Operator> => {
    const someone = await operator();
    await db.person.update({ where: { id: someone.id }, data: { isAdministrator: true } });
    return someone;
  };

  const founder = await administrator();
  const founding = as(founder);
  return {
    ...started,
    founder,
    founding,
    build: createBuilders(context, founding),
    person,
    operator,
    administrator,
    join,
    logIn,
    as,
  };
}

export function useAuthenticatedHarness(
  options?: Parameters<typeof startAuthenticatedHarness>[0],
): AuthenticatedHarness {
  const holder = {} as AuthenticatedHarness;
  beforeAll(async () => {
    Object.assign(holder, await startAuthenticatedHarness(options));
  });
  afterAll(() => holder.close());
  return holder;
}
