import { PASSWORD, SIGN_IN, useAuthenticatedHarness } from '../../../../test/authenticated-harness';
import { everything } from '../../../../test/everything';

describe('POST /api/auth/login', () => {
  const harness = useAuthenticatedHarness();
  const logIn = (body: object, address = '198.51.100.1') =>
    harness.api.post('/api/auth/login').set('X-Forwarded-For', address).send(body);

  it('returns the same response for an unknown address as for a wrong password', async () => {
    const someone = await harness.person();
    const before = await everything(harness);
    const wrong = await logIn({ email: someone.email, password: 'x'.repeat(12) }).expect(401);
    const unknown = await logIn({ email: 'nobody@example.com', password: PASSWORD }).expect(401);
    for (const answer of [wrong, unknown]) {
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body.code).toBe('unauthenticated');
    }
    expect(unknown.body.error).toBe(wrong.body.error);
    expect(await everything(harness)).toEqual(before);
  });

  it('accepts the address in any letter case, but only the exact password', async () => {
    const someone = await harness.person();
    const email = ` ${someone.email.toUpperCase()} `;
    await logIn({ email, password: PASSWORD }).expect(200);
    for (const password of ['', PASSWORD.slice(0, -1), `${PASSWORD}x`, PASSWORD.toUpperCase()]) {
      await logIn({ email, password }).expect(401);
    }
  });

  it('rejects a malformed body with 400, and the error names the field', async () => {
    const wrong: [object, string][] = [
      [{ password: PASSWORD }, 'email'],
      [{ email: 'x', password: PASSWORD }, 'email'],
      [{ email: 'x@example.com' }, 'password'],
      [{ email: 'x@example.com', password: 1 }, 'password'],
      [{ email: 'x@example.com', password: 'x'.repeat(129) }, 'password'],
      [{ email: 'x@example.com', password: PASSWORD, remember: true }, 'remember'],
    ];
    for (const [body, field] of wrong) {
      expect((await logIn(body).expect(400)).body.details[0].path).toEqual([field]);
    }
  });

  it('limits guesses per account, however many addresses the guesses come from', async () => {
    const someone = await harness.person();
    const { perAccount, windowSec } = SIGN_IN.throttle;
    const guess = (at: number) =>
      logIn({ email: someone.email, password: `guess number ${at}` }, `198.51.100.${at}`);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => guess(at)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(perAccount);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - perAccount);
    const right = await logIn({ email: someone.email, password: PASSWORD }).expect(429);
    expect(right.body.code).toBe('rate_limited');
    const wait = Number(right.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(windowSec);
    await logIn({ email: (await harness.person()).email, password: PASSWORD }).expect(200);
  });

  it('limits guesses for unknown accounts, too', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 7; at++) {
      const answer = await logIn({ email: 'ghost@example.com', password: PASSWORD });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('resets the count of the account and address after a success', async () => {
    const someone = await harness.person();
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 4; at++) {
        await logIn({ email: someone.email, password: 'wrong' }).expect(401);
      }
      await logIn({ email: someone.email, password: PASSWORD }).expect(200);
    }
  });
});

describe('POST /api/auth/login with a limit per address', () => {
  const throttle = { ...SIGN_IN.throttle, perAddress: 5 };
  const harness = useAuthenticatedHarness({ config: { signIn: { ...SIGN_IN, throttle } } });
  const guess = (at: number, address: string) =>
    harness.api
      .post('/api/auth/login')
      .set('X-Forwarded-For', address)
      .send({ email: `a${at}@example.com`, password: PASSWORD });

  it('limits guesses for any accounts from one address, without effect on other addresses', async () => {
    const spray = async (addresses: string[]) => {
      const answers = await Promise.all(addresses.map((address, at) => guess(at, address)));
      return answers.map((answer) => answer.status).sort();
    };
    const one = Array.from({ length: 8 }, () => '198.51.100.7');
    expect(await spray(one)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    await guess(1, '198.51.100.8').expect(401);
    await guess(1, '203.0.113.9, 198.51.100.7').expect(429);
    const network = Array.from({ length: 8 }, (_, at) => `2001:db8:0:1::${at + 1}`);
    expect(await spray(network)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    await guess(1, '2001:db8:0:2::1').expect(401);
  });

  it('counts sign-ins of terminals apart from guesses', async () => {
    const person = await harness.person();
    const from = (path: string) => harness.api.post(path).set('X-Forwarded-For', '198.51.100.44');
    for (let at = 0; at < 5; at++) await from('/api/auth/device').expect(201);
    await from('/api/auth/device').expect(429);
    await from('/api/auth/login').send({ email: person.email, password: PASSWORD }).expect(200);
  });

  it('does not limit successful sign-ins', async () => {
    const someone = await harness.person();
    for (let at = 0; at < 12; at++) {
      await harness.api
        .post('/api/auth/login')
        .set('X-Forwarded-For', '198.51.100.99')
        .send({ email: someone.email, password: PASSWORD })
        .expect(200);
    }
  });
});
