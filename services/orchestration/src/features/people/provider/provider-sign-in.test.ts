import { createHash } from 'node:crypto';
import { newId } from '@switchyard/db';
import {
  type AuthenticatedHarness,
  cookieOf,
  PASSWORD,
  SIGN_IN,
  startAuthenticatedHarness,
} from '../../../../test/authenticated-harness';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Claims,
  openScriptedProvider,
  type ScriptedProvider,
} from '../../../../test/scripted-provider';

const FLOW = '__Secure-service.provider';
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

describe('signing in at an identity provider', () => {
  let provider: ScriptedProvider;
  let harness: AuthenticatedHarness;
  beforeAll(async () => {
    provider = await openScriptedProvider();
    const settings = { issuer: provider.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
    const signIn = { ...SIGN_IN, provider: settings };
    harness = await startAuthenticatedHarness({ config: { signIn } });
  });
  afterAll(async () => {
    await harness.close();
    provider.close();
  });

  type Answer = { headers: Record<string, unknown> };
  const flowOf = (answer: Answer): string => {
    const all = [answer.headers['set-cookie'] ?? []].flat().map(String);
    return all.find((text) => text.startsWith(FLOW))?.split(';')[0] ?? '';
  };
  const claimsOf = (subject: string, more: Claims = {}): Claims => ({
    sub: subject,
    email: `${subject}@corp.example.com`,
    email_verified: true,
    name: `Name of ${subject}`,
    auth_time: provider.now(),
    ...more,
  });

  const begin = async (body: object = {}, cookie = '') => {
    const answer = await harness.api
      .post('/api/auth/provider')
      .set('Cookie', cookie)
      .send(body)
      .expect(200);
    return { url: answer.body.url as string, flow: flowOf(answer) };
  };
  const end = (callback: URL, cookie: string) =>
    harness.api.get(callback.pathname + callback.search).set('Cookie', cookie);
  const signIn = async (
    claims: Claims,
    {
      body = {},
      cookie = '',
      ...lies
    }: { body?: object; cookie?: string } & Parameters<ScriptedProvider['authorize']>[2] = {},
  ) => {
    const { url, flow } = await begin(body, cookie);
    const callback = provider.authorize(url, claims, lies);
    const answer = await end(callback, [flow, cookie].filter(Boolean).join('; '));
    expect(answer.status).toBe(303);
    return { answer, goesTo: answer.headers.location as string, callback, flow };
  };
  const invite = async (email?: string) => {
    const company = await harness.build.company();
    const made = await harness.founding
      .post(`/api/companies/${company.id}/invites`)
      .send({ role: 'operator', ...(email && { email }) })
      .expect(201);
    return { companyId: company.id, token: made.body.token as string };
  };
  const join = async (subject: string, more: Claims = {}) => {
    const { companyId, token } = await invite();
    const { answer, goesTo } = await signIn(claimsOf(subject, more), { body: { invite: token } });
    expect(goesTo).toBe('/');
    return { companyId, cookie: cookieOf(answer) };
  };
  const session = async (cookie: string) =>
    (await harness.as({ cookie }).get('/api/auth/session').expect(200)).body;

  it('creates an account and a membership for an invited person, who has no password', async () => {
    const { companyId, cookie } = await join('ada');
    const { user, memberships } = await session(cookie);
    expect(user).toMatchObject({ email: 'ada@corp.example.com', hasPassword: false });
    expect(memberships).toMatchObject([{ companyId, role: 'operator' }]);
    const guess = { email: user.email, password: PASSWORD };
    await harness.api.post('/api/auth/login').send(guess).expect(401);
  });

  it('identifies the account by its subject, even if the address has changed', async () => {
    const { cookie } = await join('grace');
    const before = await session(cookie);
    const moved = claimsOf('grace', { email: 'new@corp.example.com' });
    const { answer, goesTo } = await signIn(moved, { body: { next: '/ACM/issues?x=1' } });
    expect(goesTo).toBe('/ACM/issues?x=1');
    const after = await session(cookieOf(answer));
    expect(after.user).toEqual(before.user);
  });

  it('without an invite, neither creates an account nor signs in to an account with the same address', async () => {
    const people = await harness.db.person.count();
    const known = await harness.person();
    for (const claims of [claimsOf('stranger'), claimsOf('thief', { email: known.email })]) {
      expect((await signIn(claims)).goesTo).toBe('/sign-in#not-invited');
    }
    const later = await signIn(claimsOf('stranger'), { body: { next: '/ACM' } });
    expect(later.goesTo).toBe('/sign-in?next=%2FACM#not-invited');
    expect(await harness.db.person.count()).toBe(people + 1);
  });

  it('links an existing account that an invite names, and ends its other credentials', async () => {
    const known = await harness.person();
    const cookie = cookieOf(await harness.logIn(known));
    const token = { name: 'mine', scope: 'read' };
    await harness.as({ cookie }).post('/api/auth/tokens').send(token).expect(201);
    const { token: invited } = await invite(known.email);
    const claims = claimsOf('linked', { email: known.email });
    const { answer } = await signIn(claims, { body: { invite: invited } });
    const { user } = await session(cookieOf(answer));
    expect(user).toMatchObject({ id: known.id, hasPassword: false });
    await harness.as({ cookie }).get('/api/auth/session').expect(401);
    expect(await harness.db.personalToken.count({ where: { userId: known.id } })).toBe(0);
    expect((await harness.logIn(known)).status).toBe(401);
    expect((await signIn(claims)).goesTo).toBe('/');
  });

  it.each<[string, Claims]>([
    ['is not verified', { email_verified: false }],
    ['has no verification status', { email_verified: undefined }],
    ['is missing', { email: undefined }],
    ['is of another person', { email: 'other@corp.example.com' }],
  ])('refuses an invite for a person whose address %s', async (_why, more) => {
    const { token } = await invite('invited@corp.example.com');
    const claims = claimsOf('invited', more);
    const { goesTo } = await signIn(claims, { body: { invite: token } });
    expect(goesTo).toBe('/sign-in#not-invited');
    expect(await harness.db.person.count({ where: { providerSubject: 'invited' } })).toBe(0);
  });

  it('accepts an invite once', async () => {
    const { token } = await invite();
    const accept = (subject: string) => signIn(claimsOf(subject), { body: { invite: token } });
    const [one, two] = await Promise.all([accept('first'), accept('second')]);
    expect([one.goesTo, two.goesTo].sort()).toEqual(['/', '/sign-in#not-joined']);
  });

  it('links the account of a signed-in person', async () => {
    const someone = await harness.operator();
    const { cookie } = someone;
    const link = (subject: string, as: string) =>
      signIn(claimsOf(subject), { body: { link: true }, cookie: as });
    expect((await link('self', cookie)).goesTo).toBe('/');
    const { answer } = await signIn(claimsOf('self'));
    expect((await session(cookieOf(answer))).user).toMatchObject({ id: someone.id });
    const other = await harness.operator();
    expect((await link('self', other.cookie)).goesTo).toBe('/sign-in#not-joined');
  });

  it('refuses to link without a session, or with the session of another person', async () => {
    await harness.api.post('/api/auth/provider').send({ link: true }).expect(401);
    const [one, two] = [await harness.operator(), await harness.operator()];
    const { url, flow } = await begin({ link: true }, one.cookie);
    const callback = provider.authorize(url, claimsOf('someone'));
    const answer = await end(callback, `${flow}; ${two.cookie}`);
    expect(answer.headers.location).toBe('/sign-in#provider-failed');
  });

  describe('an invalid sign-in', () => {
    it.each<[string, Parameters<ScriptedProvider['authorize']>[2]]>([
      ['a forged signature', { isForged: true }],
      ['another issuer', { change: (claims) => ({ ...claims, iss: 'https://other.example.com' }) }],
      ['another audience', { change: (claims) => ({ ...claims, aud: 'other' }) }],
      ['another nonce', { change: (claims) => ({ ...claims, nonce: 'other' }) }],
      ['no nonce', { change: ({ nonce: _, ...claims }) => claims }],
      ['an expired token', { change: (claims) => ({ ...claims, exp: provider.now() - 120 }) }],
      ['no subject', { change: ({ sub: _, ...claims }) => claims }],
    ])('fails because of %s', async (_what, lies) => {
      await join('victim').catch(() => undefined);
      const { goesTo, answer } = await signIn(claimsOf('victim'), lies);
      expect(goesTo).toBe('/sign-in#provider-failed');
      expect(String(answer.headers['set-cookie'])).not.toContain('service.sid=');
    });

    it('fails because of a code that was redeemed before', async () => {
      await join('replayed');
      const { callback, flow } = await signIn(claimsOf('replayed'));
      expect((await end(callback, flow)).headers.location).toBe('/sign-in#provider-failed');
    });

    it('fails if the state, issuer or code is wrong or missing, or in a different browser', async () => {
      await join('mixed');
      const begun = async () => {
        const { url, flow } = await begin();
        return { callback: provider.authorize(url, claimsOf('mixed')), flow };
      };
      const refused = async (callback: URL, cookie: string) =>
        expect((await end(callback, cookie)).headers.location).toBe('/sign-in#provider-failed');
      for (const name of ['state', 'iss', 'code']) {
        const { callback, flow } = await begun();
        callback.searchParams.set(name, 'other');
        await refused(callback, flow);
        callback.searchParams.delete(name);
        await refused(callback, flow);
      }
      const [one, two] = [await begun(), await begun()];
      await refused(one.callback, two.flow);
      await refused(one.callback, '');
      await refused(one.callback, `${one.flow.slice(0, -4)}AAAA`);
    });
  });

  it('never redirects to another site', async () => {
    await join('careful');
    for (const next of ['https://evil.example.com/', '//evil.example.com', '/\\evil.example.com']) {
      expect((await signIn(claimsOf('careful'), { body: { next } })).goesTo).toBe('/');
    }
  });

  it('counts as recent only if the provider asked for the credentials recently', async () => {
    const old = { auth_time: provider.now() - 3_600 };
    const { companyId } = await join('owner');
    await harness.db.membership.updateMany({ where: { companyId }, data: { role: 'owner' } });
    const ask = async (more: Claims) => {
      const { answer } = await signIn(claimsOf('owner', more));
      const as = harness.as({ cookie: cookieOf(answer) });
      const token = { name: 'mine', scope: 'write' };
      return (await as.post('/api/auth/tokens').send(token)).status;
    };
    expect(await ask(old)).toBe(403);
    expect(await ask({ auth_time: undefined })).toBe(403);
    expect(await ask({})).toBe(201);
  });

  it('asks a signed-in person for the credentials again', async () => {
    const { cookie } = await join('again');
    const asked = new URL((await begin({}, cookie)).url).searchParams;
    expect(asked.get('prompt')).toBe('login');
    expect(asked.get('max_age')).toBe('0');
    expect(new URL((await begin()).url).searchParams.get('prompt')).toBeNull();
  });

  it('rejects an invalid body with 400, and the error names the field', async () => {
    const { body } = await harness.api.post('/api/auth/provider').send({ link: 'yes' }).expect(400);
    expect(body.details).toMatchObject([{ path: ['link'] }]);
    const both = { link: true, invite: 'x' };
    await harness.api.post('/api/auth/provider').send(both).expect(400);
  });

  describe('a logout token', () => {
    const logout = async (claims: Claims, options = {}) => {
      const times = { iat: provider.now(), exp: provider.now() + 60, jti: 'one' };
      const events = { [LOGOUT]: {} };
      const payload = { iss: provider.url, aud: CLIENT_ID, ...times, events, ...claims };
      const logout_token = await provider.sign(payload, { type: 'logout+jwt', ...options });
      return harness.api.post('/sign-in/logout').type('form').send({ logout_token });
    };
    const isSignedIn = async (cookie: string) =>
      (await harness.as({ cookie }).get('/api/auth/session')).status === 200;

    it('ends the session that it names, and revokes the tokens of the person', async () => {
      const { cookie } = await join('leaver', { sid: 'here' });
      const { answer } = await signIn(claimsOf('leaver', { sid: 'there' }));
      const token = { name: 'mine', scope: 'read' };
      await harness.as({ cookie }).post('/api/auth/tokens').send(token).expect(201);
      expect((await logout({ sid: 'here' })).status).toBe(200);
      expect(await isSignedIn(cookie)).toBe(false);
      expect(await isSignedIn(cookieOf(answer))).toBe(true);
      const where = { user: { providerSubject: 'leaver' } };
      expect(await harness.db.personalToken.count({ where })).toBe(0);
    });

    it('ends all sessions of the person if it names no session', async () => {
      const { cookie } = await join('gone', { sid: 'one' });
      const { answer } = await signIn(claimsOf('gone'));
      expect((await logout({ sub: 'gone' })).status).toBe(200);
      expect(await isSignedIn(cookie)).toBe(false);
      expect(await isSignedIn(cookieOf(answer))).toBe(false);
    });

    it.each<[string, Claims, object]>([
      ['with a forged signature', {}, { isForged: true }],
      ['of another issuer', { iss: 'https://other.example.com' }, {}],
      ['for another audience', { aud: 'other' }, {}],
      ['without the event', { events: {} }, {}],
      ['with a nonce, such as an ID token', { nonce: 'x' }, {}],
      ['that is old', { iat: 1_600_000_000 }, {}],
      ['without a session and a subject', { sid: undefined }, {}],
    ])('causes 400 and ends no session: %s', async (_what, claims, options) => {
      const { cookie } = await join(`stays-${Math.random()}`, { sid: 'stays' });
      const { status, body } = await logout({ sid: 'stays', ...claims }, options);
      expect(status).toBe(400);
      expect(body.details).toMatchObject([{ path: ['logout_token'] }]);
      expect(await isSignedIn(cookie)).toBe(true);
    });

    it('must be sent as a form', async () => {
      await harness.api.post('/sign-in/logout').type('form').send({}).expect(400);
      await harness.api.post('/sign-in/logout').send({ logout_token: 'x' }).expect(400);
    });
  });
});

describe('an identity provider that cannot be reached', () => {
  it('causes 503 until it can be reached', async () => {
    const provider = await openScriptedProvider();
    const settings = { issuer: provider.url, clientId: CLIENT_ID, clientSecret: null };
    const signIn = { ...SIGN_IN, provider: settings };
    const harness = await startAuthenticatedHarness({ config: { signIn } });
    const port = Number(new URL(provider.url).port);
    provider.close();
    await harness.api.post('/api/auth/provider').send({}).expect(503);
    const { headers } = await harness.api.get('/sign-in/provider?next=/ACM').expect(303);
    expect(headers.location).toBe('/sign-in?next=%2FACM#provider-failed');
    const again = await openScriptedProvider(port);
    await harness.api.post('/api/auth/provider').send({}).expect(200);
    again.close();
    await harness.close();
  });
});

describe('an installation that accepts no passwords', () => {
  let provider: ScriptedProvider;
  let harness: AuthenticatedHarness;
  beforeAll(async () => {
    provider = await openScriptedProvider();
    const settings = { issuer: provider.url, clientId: CLIENT_ID, clientSecret: null };
    const signIn = { ...SIGN_IN, provider: settings, acceptsPasswords: false };
    harness = await startAuthenticatedHarness({ config: { signIn } });
  });
  afterAll(async () => {
    await harness.close();
    provider.close();
  });

  it('accepts only a password that the operator has set', async () => {
    const known = await harness.person();
    const { status, body } = await harness.logIn(known);
    expect([status, body.error]).toEqual([401, 'the e-mail address or the password is wrong']);
    const passwordExpiresAt = new Date(Date.now() + 60_000);
    await harness.db.person.update({ where: { id: known.id }, data: { passwordExpiresAt } });
    expect((await harness.logIn(known)).body.code).toBe('password_change_required');
    const login = { email: known.email, password: PASSWORD, newPassword: `${PASSWORD} again` };
    const cookie = cookieOf(await harness.api.post('/api/auth/login').send(login).expect(200));
    expect((await harness.logIn(known, login.newPassword)).status).toBe(401);
    const { newPassword: password } = login;
    const as = harness.as({ cookie });
    await as.post('/api/auth/confirm').send({ password }).expect(403);
    const change = { currentPassword: password, newPassword: PASSWORD };
    await as.post('/api/auth/password').send(change).expect(403);
  });

  it('creates no account with a password', async () => {
    const account = { email: 'new@corp.example.com', password: PASSWORD, name: 'New' };
    const token = 'x'.repeat(43);
    const tokenHash = createHash('sha256').update(token).digest();
    const company = { id: newId(), name: 'Corp', issuePrefix: 'CORP' };
    const { id: companyId } = await harness.db.company.create({ data: company });
    const owner = await harness.person();
    await harness.join(owner, companyId, 'owner');
    await harness.db.invite.create({
      data: {
        id: newId(),
        ...{ companyId, tokenHash, createdByUserId: owner.id, role: 'viewer' },
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const { body } = await harness.api
      .post(`/api/auth/invites/${token}/accept`)
      .send(account)
      .expect(403);
    expect(body.error).toContain('passwords are not accepted here');
  });
});
