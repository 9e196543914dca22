import { type Ask, openAsker, type Reply } from '../../../../test/ask';
import {
  knownBrowserOf,
  PASSWORD,
  type Person,
  SIGN_IN,
  useAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import { createPasswords } from '../../../access/sign-in/passwords';
import { signInOf } from '../../../access/sign-in/sign-in';
import type { ThrottleSettings } from '../../../settings/sign-in-settings';
import { THROTTLE } from '../../../settings/sign-in-settings';

const FEW = { ...THROTTLE, perAccountAndAddress: 5, perAccount: 20, perBrowser: 5 };

interface Try {
  password?: string;
  address?: string;
  cookie?: string;
}

function useGuesses(throttle: ThrottleSettings) {
  const harness = useAuthenticatedHarness({ config: { signIn: { ...SIGN_IN, throttle } } });
  let asker: { ask: Ask; close: () => Promise<void> };
  beforeAll(() => {
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  let addresses = 0;
  const newAddress = () => {
    addresses++;
    return `198.18.${addresses >> 8}.${addresses & 255}`;
  };
  const logIn = (
    { email }: Pick<Person, 'email'>,
    { password = PASSWORD, address = newAddress(), cookie }: Try = {},
  ): Promise<Reply> =>
    asker.ask({
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
      body: { email, password },
    });
  const statusOf = async (...given: Parameters<typeof logIn>) => (await logIn(...given)).status;
  const guess = (person: Pick<Person, 'email'>, more: Try = {}) =>
    statusOf(person, { password: 'a wrong password', ...more });

  async function flood(person: Pick<Person, 'email'>, count: number): Promise<number> {
    const statuses: number[] = [];
    for (let left = count; left > 0; left -= 50) {
      const size = Math.min(left, 50);
      statuses.push(...(await Promise.all(Array.from({ length: size }, () => guess(person)))));
    }
    expect(new Set(statuses.filter((status) => status !== 401 && status !== 429)).size).toBe(0);
    return statuses.filter((status) => status === 401).length;
  }

  const ask: Ask = (question) => asker.ask(question);
  return { harness, ask, newAddress, logIn, statusOf, guess, flood };
}

describe('password guesses with the default limits', () => {
  const { harness, logIn, statusOf, guess, flood } = useGuesses(THROTTLE);

  it('cause only 100 password checks from 1,000 addresses, and a known browser can still sign in', async () => {
    const owner = await harness.person();
    const known = knownBrowserOf(await logIn(owner));
    expect(await flood(owner, 1_000)).toBe(THROTTLE.perAccount);
    const refused = await logIn(owner);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (let again = 0; again < 3; again++) {
      expect(await statusOf(owner, { cookie: known })).toBe(200);
    }
    expect(await guess(owner)).toBe(429);
    expect(await statusOf(await harness.person())).toBe(200);
  });
});

describe('password guesses', () => {
  const { harness, ask, newAddress, logIn, statusOf, guess, flood } = useGuesses(FEW);

  it('add up to the limit of the account, and a success does not reset the count', async () => {
    const owner = await harness.person();
    expect(await flood(owner, 15)).toBe(15);
    for (let again = 0; again < 5; again++) expect(await statusOf(owner)).toBe(200);
    expect(await flood(owner, 10)).toBe(5);
    expect(await statusOf(owner)).toBe(429);
  });

  it('have a limit per account and address, and do not affect sign-ins from other addresses', async () => {
    const owner = await harness.person();
    const address = newAddress();
    const many = await Promise.all(Array.from({ length: 30 }, () => guess(owner, { address })));
    expect(many.filter((status) => status === 401)).toHaveLength(FEW.perAccountAndAddress);
    expect(await statusOf(owner, { address })).toBe(429);
    expect(await statusOf(owner)).toBe(200);
    expect(await statusOf(await harness.person(), { address })).toBe(200);
  });

  it('have the same limit if the account does not exist', async () => {
    const nobody = { email: 'nobody@example.com' };
    expect(await flood(nobody, 30)).toBe(FEW.perAccount);
  });

  it('have a separate limit in a known browser, which is treated as unknown beyond that limit', async () => {
    const owner = await harness.person();
    const [mine, stolen] = [knownBrowserOf(await logIn(owner)), knownBrowserOf(await logIn(owner))];
    const address = newAddress();
    const inBrowser = { cookie: stolen, address };
    const many = await Promise.all(Array.from({ length: 40 }, () => guess(owner, inBrowser)));
    expect(many.filter((status) => status === 401)).toHaveLength(
      FEW.perBrowser + FEW.perAccountAndAddress,
    );
    expect(await statusOf(owner, inBrowser)).toBe(429);
    expect(await statusOf(owner, { cookie: stolen })).toBe(200);
    expect(await statusOf(owner, { cookie: mine, address })).toBe(200);
  });

  it('count from zero again after a successful sign-in in a known browser', async () => {
    const owner = await harness.person();
    const cookie = knownBrowserOf(await logIn(owner));
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 4; at++) expect(await guess(owner, { cookie })).toBe(401);
      expect(await statusOf(owner, { cookie })).toBe(200);
    }
  });

  it('count as guesses from an unknown browser if the cookie was modified or belongs to another account', async () => {
    const [owner, eve] = [await harness.person(), await harness.person()];
    const known = knownBrowserOf(await logIn(owner));
    const ofEve = knownBrowserOf(await logIn(eve));
    const renamed = `${known.split('=')[0]}=${ofEve.split('=')[1]}`;
    await flood(owner, FEW.perAccount);
    for (const cookie of [ofEve, renamed, `${known.slice(0, -4)}AAAA`]) {
      expect(await statusOf(owner, { cookie })).toBe(429);
    }
    expect(await statusOf(owner, { cookie: known })).toBe(200);
  });

  it('do not lock out a browser that accepted an invite for a new account and signed in to another account', async () => {
    const company = await harness.build.company();
    const invite = await harness.founding
      .post(`/api/companies/${company.id}/invites`)
      .send({ role: 'viewer' })
      .expect(201);
    const email = 'grace@example.com';
    const joined = await ask({
      method: 'POST',
      path: `/api/auth/invites/${invite.body.token}/accept`,
      headers: { 'x-forwarded-for': newAddress() },
      body: { email, name: 'Grace', password: PASSWORD },
    });
    expect(joined.status).toBe(201);
    const other = await harness.person();
    const cookie = `${knownBrowserOf(joined)}; ${knownBrowserOf(await logIn(other))}`;
    for (const person of [{ email }, other]) {
      await flood(person, FEW.perAccount);
      expect(await statusOf(person)).toBe(429);
      expect(await statusOf(person, { cookie })).toBe(200);
    }
  });

  it('do not make the browser known, and neither does a correct password while the account is limited', async () => {
    const owner = await harness.person();
    const wrong = await logIn(owner, { password: 'x' });
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
    await flood(owner, FEW.perAccount);
    const locked = await logIn(owner);
    expect([locked.status, locked.headers['set-cookie']]).toEqual([429, undefined]);
  });

  it.each([
    ['rate_limited', 429, { waitingEach: 0, waitingInAll: 1 }],
    ['unavailable', 503, { waitingEach: 1, waitingInAll: 0 }],
  ])(
    'fail with %s, and do not count towards the limit, if the queue is full',
    async (code, status, full) => {
      const owner = await harness.person();
      const address = newAddress();
      const signIn = signInOf(harness.context);
      const roomy = signIn?.passwords;
      Object.assign(signIn ?? {}, { passwords: createPasswords(4, { atOnce: 0, ...full }) });
      for (let at = 0; at < FEW.perAccount + 5; at++) {
        const reply = await logIn(owner, { address });
        expect(reply).toMatchObject({ status, body: { code }, headers: { 'retry-after': '1' } });
        expect(reply.headers['set-cookie']).toBeUndefined();
      }
      Object.assign(signIn ?? {}, { passwords: roomy });
      for (let at = 1; at < FEW.perAccountAndAddress; at++) {
        expect(await guess(owner, { address })).toBe(401);
      }
      expect(await statusOf(owner, { address })).toBe(200);
    },
  );
});
