import type { Logger } from '@switchyard/server';
import { until } from '@switchyard/testing';
import {
  type AuthenticatedHarness,
  cookieOf,
  PASSWORD,
  startAuthenticatedHarness,
} from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { offerBootstrap, startOffer } from './offer-bootstrap';

const ADA = { email: 'Ada@Example.com ', password: PASSWORD, name: 'Ada' };

describe('POST /api/auth/bootstrap', () => {
  let harness: AuthenticatedHarness;
  let token: string;
  const bootstrap = (body: object) => harness.api.post('/api/auth/bootstrap').send(body);

  beforeEach(async () => {
    harness = await startAuthenticatedHarness();
    await harness.db.person.deleteMany();
    token = (await offerBootstrap(harness.context.db)) as string;
  });
  afterEach(() => harness.close());

  it('with the token from the log, creates and signs in only the first account', async () => {
    const answer = await bootstrap({ token, ...ADA }).expect(201);
    const { id } = answer.body.user;
    expect(answer.body).toEqual({ user: { id, email: 'ada@example.com', name: 'Ada' } });
    const board = harness.as({ cookie: cookieOf(answer) });
    const { body: session } = await board.get('/api/auth/session').expect(200);
    expect(session.user).toEqual({
      ...answer.body.user,
      isAdministrator: true,
      hasPassword: true,
    });
    await board.post('/api/companies').send({ name: 'Acme' }).expect(201);
    const row = await harness.db.person.findUniqueOrThrow({ where: { id } });
    expect(row.passwordHash).toMatch(/^\$2b\$04\$.{53}$/);
    expect(await harness.db.bootstrapToken.count()).toBe(0);
    const before = await everything(harness);
    for (const email of [ADA.email, 'other@example.com']) {
      expect((await bootstrap({ token, ...ADA, email }).expect(401)).body.code).toBe(
        'unauthenticated',
      );
    }
    expect(await offerBootstrap(harness.context.db)).toBeNull();
    expect(await everything(harness)).toEqual(before);
  });

  it('creates one person for 20 concurrent attempts with two valid tokens', async () => {
    const other = (await offerBootstrap(harness.context.db)) as string;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        bootstrap({ ...ADA, token: at % 2 ? token : other, email: `p${at}@example.com` }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 401)]);
    expect(await harness.db.person.count()).toBe(1);
  });

  it('requires a valid token and every field', async () => {
    const before = await everything(harness);
    const [row] = await harness.db.bootstrapToken.findMany();
    const hash = Buffer.from(row?.tokenHash as Uint8Array);
    for (const bad of ['x', `${token}x`, hash.toString('base64url'), hash.toString('hex')]) {
      const refused = await bootstrap({ ...ADA, token: bad }).expect(401);
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
    const wrong: [object, string][] = [
      [{ token: '' }, 'token'],
      [{ token: 1 }, 'token'],
      [{ email: 'ada' }, 'email'],
      [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
      [{ email: 'a@b.c\n' + 'x' }, 'email'],
      [{ password: 'x'.repeat(11) }, 'password'],
      [{ password: 'x'.repeat(129) }, 'password'],
      [{ password: `long enough \ud800` }, 'password'],
      [{ name: ' ' }, 'name'],
      [{ role: 'owner' }, 'role'],
    ];
    for (const [change, field] of wrong) {
      const refused = await bootstrap({ token, ...ADA, ...change }).expect(400);
      expect(refused.body.details[0].path).toEqual([field]);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('makes the person the owner only of companies without members', async () => {
    const orphan = { id: '0190f0f0-0000-7000-8000-000000000002', name: 'Old', issuePrefix: 'OLD' };
    await harness.db.company.create({ data: orphan });
    const answer = await bootstrap({ token, ...ADA }).expect(201);
    const board = harness.as({ cookie: cookieOf(answer) });
    const { body } = await board.get('/api/auth/session').expect(200);
    expect(body.memberships).toMatchObject([{ companyId: orphan.id, role: 'owner' }]);
    await board.patch(`/api/companies/${orphan.id}`).send({ name: 'New' }).expect(200);
    const activity = await board.get(`/api/companies/${orphan.id}/activity`).expect(200);
    expect(activity.body.at(-1)).toMatchObject({
      action: 'member.joined',
      actorType: 'user',
      actorId: body.user.id,
    });
  });

  it('requires the token from the log, which is valid for one day', async () => {
    const lines: string[] = [];
    const note = (message: string) => void lines.push(message);
    const logger: Logger = { error: note, warn: note, info: note, debug: note };
    const offer = startOffer(harness.context.db, logger);
    const line = await until('the line', () => lines[0]);
    await offer.close();
    expect(lines).toEqual([expect.stringMatching(/^bootstrap token: [\w-]{43}$/)]);
    expect(await harness.db.bootstrapToken.count()).toBe(2);
    await harness.db.bootstrapToken.updateMany({ data: { createdAt: new Date(0) } });
    const fresh = (await offerBootstrap(harness.context.db)) as string;
    expect(await harness.db.bootstrapToken.count()).toBe(1);
    await bootstrap({ ...ADA, token: line.split(': ')[1] as string }).expect(401);
    await bootstrap({ ...ADA, token: fresh }).expect(201);
  });
});

describe('a bootstrap token that the operator has set', () => {
  const CHOSEN = 'a token that stands in a secret, 40 letters';
  let harness: AuthenticatedHarness;
  beforeEach(async () => {
    harness = await startAuthenticatedHarness();
    await harness.db.person.deleteMany();
  });
  afterEach(() => harness.close());

  const bootstrap = (token: string, email = ADA.email) =>
    harness.api.post('/api/auth/bootstrap').send({ ...ADA, token, email });

  const start = async (chosen: string | null) => {
    const lines: string[] = [];
    const note = (message: string) => void lines.push(message);
    const logger: Logger = { error: note, warn: note, info: note, debug: note };
    const before = await harness.db.bootstrapToken.findFirst();
    const offer = startOffer(harness.context.db, logger, chosen);
    await until('the offer', async () => {
      const [now, all] = [await harness.db.bootstrapToken.findFirst(), lines.length];
      return now !== null && (all > 0 || now.createdAt !== before?.createdAt);
    });
    await offer.close();
    return lines;
  };

  it('does not appear in the log, replaces other tokens, and can be used once', async () => {
    const [logged] = await start(null);
    expect(await start(CHOSEN)).toEqual([]);
    expect(await start(CHOSEN)).toEqual([]);
    expect(await harness.db.bootstrapToken.count()).toBe(1);
    await bootstrap(logged?.split(': ')[1] as string).expect(401);
    await bootstrap(`${CHOSEN}x`).expect(401);
    await bootstrap(CHOSEN).expect(201);
    expect(await offerBootstrap(harness.context.db, CHOSEN)).toBeNull();
    const before = await everything(harness);
    await bootstrap(CHOSEN, 'other@example.com').expect(401);
    expect(await everything(harness)).toEqual(before);
  });

  it('can be set on replicas that start concurrently, and creates only one person', async () => {
    const { db } = harness.context;
    await Promise.all(Array.from({ length: 8 }, () => offerBootstrap(db, CHOSEN)));
    expect(await harness.db.bootstrapToken.count()).toBe(1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => bootstrap(CHOSEN, `p${at}@example.com`)),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 401)]);
  });
});

describe('authentication in local trusted mode', () => {
  const harness = useHarness();

  it('needs no bootstrap: every caller is the board', async () => {
    const { api, build } = harness;
    const session = await api.get('/api/auth/session').expect(200);
    expect(session.body).toEqual({
      mode: 'local',
      credential: 'none',
      user: {
        id: 'local-board',
        email: null,
        name: 'Local board',
        isAdministrator: true,
        hasPassword: false,
      },
      agent: null,
      token: null,
      memberships: [],
    });
    const company = await build.company();
    expect((await api.get(`/api/companies/${company.id}/members`).expect(200)).body).toEqual([]);
    const before = await everything(harness);
    const writes = [
      api.post('/api/auth/login').send({ email: 'a@example.com', password: PASSWORD }),
      api.post('/api/auth/logout'),
      api.post('/api/auth/bootstrap').send({ token: 'x', ...ADA }),
      api.post(`/api/auth/invites/${'x'.repeat(43)}/accept`).send({}),
      api.post(`/api/companies/${company.id}/invites`).send({ role: 'viewer' }),
    ];
    for (const write of writes) {
      const refused = await write.expect(409);
      expect(refused.body.error).toContain('members and sign-in require AUTH_MODE=authenticated');
    }
    expect(await everything(harness)).toEqual(before);
    await api.get('/login').expect(404);
  });
});
