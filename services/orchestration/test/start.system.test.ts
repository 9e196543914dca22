import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '@switchyard/server';
import { cloneDatabase, freePort, redisUrl, until } from '@switchyard/testing';
import { readConfig } from '../src/config';
import { openAsker } from './ask';
import { cookieOf, PASSWORD, PUBLIC_URL, SESSION_SECRET } from './authenticated-harness';
import { RUN_TOKEN_SECRET, SECRETS_MASTER_KEY } from './harness';

const SERVERS = { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' };
const SECRETS: Record<string, string> = {
  SESSION_SECRET,
  RUN_TOKEN_SECRET,
  SECRETS_MASTER_KEY,
  PUBLIC_URL,
};
const AUTHENTICATED = { ...SERVERS, AUTH_MODE: 'authenticated', ...SECRETS };

const started = new Set<ReturnType<typeof spawn>>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

function start(name: 'api' | 'worker', environment: Record<string, string>) {
  const bin = join(__dirname, '..', 'dist', 'bin', `${name}.js`);
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  const child = spawn(process.execPath, [bin], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said.text += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { said, ended, stop: () => child.kill('SIGTERM') };
}

const without = (names: string[]) =>
  Object.fromEntries(Object.entries(AUTHENTICATED).filter(([name]) => !names.includes(name)));

describe('the start of a process', () => {
  const names = Object.keys(SECRETS);

  it.each([...names.map((name) => [name]), names])(
    'fails in authenticated mode without %s, and the error names each missing variable',
    async (...missing) => {
      for (const process of ['api', 'worker'] as const) {
        const needed = missing.filter((name) => process === 'api' || name !== 'SESSION_SECRET');
        if (needed.length === 0) continue;
        const { said, ended } = start(process, without(missing));
        expect(await ended).toBe(1);
        const lines = said.text.trim().split('\n');
        expect(lines[0]).toBe('The environment is not usable:');
        expect(lines.slice(1).sort()).toEqual(needed.map((name) => `  ${name}: is missing`).sort());
        for (const value of Object.values(SECRETS)) expect(said.text).not.toContain(value);
      }
    },
  );

  it('fails in authenticated mode if a folder in WORKSPACE_ROOTS lacks {companyId}', async () => {
    const plain = { ...AUTHENTICATED, WORKSPACE_ROOTS: '/srv/{companyId},/srv/work' };
    for (const process of ['api', 'worker'] as const) {
      const { said, ended } = start(process, plain);
      expect(await ended).toBe(1);
      expect(said.text).toMatch(
        /^ {2}WORKSPACE_ROOTS: must contain \{companyId\} .*\/srv\/work\/\{companyId\}/m,
      );
    }
    const roots = ['/srv/{companyId}'];
    const parted = readConfig({ ...AUTHENTICATED, WORKSPACE_ROOTS: roots.join() });
    expect(parted.repositories.workspaceRoots).toEqual(roots);
    const local = { ...plain, AUTH_MODE: 'local_trusted' };
    expect(readConfig(local).repositories.workspaceRoots).toEqual([...roots, '/srv/work']);
  });

  it.each(['HTTP_ADAPTER_ALLOWED_HOSTS', 'REPOSITORY_ALLOWED_HOSTS'])(
    'accepts hosts for all companies or for one company in %s',
    (name) => {
      const id = '01890000-0000-7000-8000-000000000000';
      const read = (value: string) => readConfig({ ...AUTHENTICATED, [name]: value });
      expect(() => read(`git.internal,10.0.0.1:8080@${id}`)).not.toThrow();
      expect(() => read('git.internal@acme')).toThrow(
        new RegExp(`^ {2}${name}: each entry must be host`, 'm'),
      );
    },
  );

  it.each([
    ['SESSION_SECRET', 'too short'],
    ['RUN_TOKEN_SECRET', 'too short'],
    ['SECRETS_MASTER_KEY', 'bm90IDMyIGJ5dGVz'],
    ['PUBLIC_URL', 'board.example.com'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['SESSION_SECRET', ''],
    ['SESSION_IDLE_HOURS', '0'],
    ['RATE_LIMIT_PER_ADDRESS', '-1'],
    ['TRUSTED_PROXIES', 'all'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['AGENT_PORT', '70000'],
    ['PROMETHEUS_HOSTS', 'http://api'],
    ['PROMETHEUS_HOSTS', 'api:9464'],
    ['BOOTSTRAP_TOKEN', 'x'.repeat(31)],
    ['BOOTSTRAP_TOKEN', 'x'.repeat(201)],
    ['COMPANY_FOUNDERS', 'owners'],
  ])('fails with %s=%s', (name, value) => {
    const read = () => readConfig({ ...AUTHENTICATED, [name]: value });
    expect(read).toThrow(EnvironmentError);
    expect(read).toThrow(new RegExp(`^The environment is not usable:\n  ${name}: .+$`));
  });

  it('ignores sign-in settings in a worker, even invalid ones', () => {
    const given = { SESSION_SECRET: 'short', BOOTSTRAP_TOKEN: 'short' };
    for (const variables of [without(['SESSION_SECRET']), { ...AUTHENTICATED, ...given }]) {
      const { signIn } = readConfig(variables, 'worker');
      expect(signIn?.session.secret).toBeNull();
      expect(signIn?.bootstrapToken).toBeNull();
      expect(() => readConfig(variables, 'api')).toThrow(EnvironmentError);
    }
    const { signIn } = readConfig(AUTHENTICATED, 'api');
    expect(signIn).toMatchObject({ session: { secret: SESSION_SECRET }, bootstrapToken: null });
  });

  it('reads COMPANY_FOUNDERS only in authenticated mode, because in local mode every caller may create companies', () => {
    const founders = (environment: Record<string, string>) =>
      readConfig({ ...AUTHENTICATED, ...environment }).companyFounders;
    expect(founders({})).toBe('administrators');
    expect(founders({ COMPANY_FOUNDERS: 'everybody' })).toBe('everybody');
    expect(founders({ COMPANY_FOUNDERS: 'administrators', AUTH_MODE: '' })).toBe('everybody');
  });

  it('fails with an unknown AUTH_MODE', () => {
    expect(() => readConfig({ ...AUTHENTICATED, AUTH_MODE: 'open' })).toThrow(/ {2}AUTH_MODE: /);
    expect(() => readConfig({ ...AUTHENTICATED, AUTH_MODE: 'Authenticated' })).toThrow(
      / {2}AUTH_MODE: /,
    );
  });

  it('allows any HOST in authenticated mode', async () => {
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'example.com']) {
      expect(readConfig({ ...AUTHENTICATED, HOST }).host).toBe(HOST);
      expect(() => readConfig({ ...AUTHENTICATED, AUTH_MODE: '', HOST })).toThrow(/ {2}HOST: /);
    }
    const { said, ended } = start('api', { ...without(['AUTH_MODE']), HOST: '0.0.0.0' });
    expect(await ended).toBe(1);
    expect(said.text).toContain('HOST: must be one of');
  });

  it('allows any HOST in local mode only with TRUST_LOCAL_NETWORK', () => {
    const local = { ...without(['AUTH_MODE', 'PUBLIC_URL']), HOST: '0.0.0.0' };
    for (const TRUST_LOCAL_NETWORK of ['', 'false']) {
      expect(() => readConfig({ ...local, TRUST_LOCAL_NETWORK })).toThrow(/ {2}HOST: /);
    }
    expect(() => readConfig({ ...local, TRUST_LOCAL_NETWORK: 'yes' })).toThrow(/ {2}TRUST_LOCAL/);
    const vouched = readConfig({ ...local, TRUST_LOCAL_NETWORK: 'true' });
    expect(vouched).toMatchObject({ signIn: null, publicUrl: 'http://127.0.0.1:3100' });
    expect(vouched.agentApiUrl).toBe('http://127.0.0.1:3102');
    expect(() => readConfig({ ...AUTHENTICATED, TRUST_LOCAL_NETWORK: 'true' })).toThrow(
      / {2}TRUST_LOCAL_NETWORK: is only valid in local trusted mode/,
    );
  });

  it('sets defaults for cookies, proxies, rate limits and agent commands according to AUTH_MODE', () => {
    const secure = readConfig(AUTHENTICATED);
    expect(secure.signIn?.session).toMatchObject({
      secureCookie: true,
      idleSec: 12 * 3_600,
      absoluteSec: 7 * 86_400,
    });
    expect(secure.network.trustedProxies).toEqual([]);
    expect(secure.rateLimits).toEqual({ perCredential: 3_000, perAddress: 300, perTrigger: 1_200 });
    expect(secure.processAdapterCommands).toEqual([]);
    const plain = readConfig({
      ...AUTHENTICATED,
      PUBLIC_URL: 'http://10.0.0.1:3100/',
      RATE_LIMIT_PER_CREDENTIAL: '0',
      PROCESS_ADAPTER_COMMANDS: 'summarise, /usr/local/bin/my-agent',
    });
    expect(plain.signIn?.session.secureCookie).toBe(false);
    expect(plain.rateLimits).toEqual({ perCredential: null, perAddress: 300, perTrigger: null });
    expect(plain.processAdapterCommands).toEqual(['summarise', '/usr/local/bin/my-agent']);
    for (const command of ['./agent', 'bin/agent', '../agent']) {
      const read = () => readConfig({ ...AUTHENTICATED, PROCESS_ADAPTER_COMMANDS: command });
      expect(read).toThrow('PROCESS_ADAPTER_COMMANDS: must list absolute paths');
    }
    const local = readConfig({ ...AUTHENTICATED, AUTH_MODE: '' });
    expect(local).toMatchObject({ signIn: null, network: { trustedProxies: [] } });
    expect(local.rateLimits).toEqual({ perCredential: null, perAddress: null, perTrigger: 1_200 });
    expect(local.processAdapterCommands).toBe('any');
  });

  it('in authenticated mode, requires only variables that .env.example lists without a value', () => {
    const text = readFileSync(join(__dirname, '../../../.env.example'), 'utf8');
    for (const name of names) expect(text).toMatch(new RegExp(`^#? ?${name}=$`, 'm'));
  });
});

describe('the first start in authenticated mode', () => {
  it('logs one bootstrap token, and no other credential', async () => {
    const database = await cloneDatabase('orchestration');
    const port = await freePort();
    const environment = {
      ...AUTHENTICATED,
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: `first-${process.pid}`,
      HOST: '0.0.0.0',
      API_PORT: String(port),
      API_PROMETHEUS_PORT: '0',
      AGENT_PORT: '0',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      SHUTDOWN_GRACE_SEC: '4',
    };
    const first = start('api', environment);
    const asker = openAsker(`http://127.0.0.1:${port}`);
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      asker.ask({ method: 'POST', path: `/api${path}`, body, headers });
    try {
      const token = await until(
        'the token',
        () => /bootstrap token: ([\w-]+)/.exec(first.said.text)?.[1],
      );
      const ada = { email: 'ada@example.com', name: 'Ada' };
      const made = await post('/auth/bootstrap', { ...ada, token, password: PASSWORD });
      expect(made.status).toBe(201);
      const signedIn = await post('/auth/login', { email: ada.email, password: PASSWORD });
      const cookie = cookieOf(signedIn);
      await post('/auth/login', { email: ada.email, password: `${PASSWORD} no` });
      await post('/auth/login', { email: ada.email, password: [PASSWORD] });
      const company = (await post('/companies', { name: 'Acme' }, { cookie })).body as {
        id: string;
      };
      const invites = `/companies/${company.id}/invites`;
      const invite = (await post(invites, { role: 'viewer' }, { cookie })).body as {
        token: string;
      };
      const joining = { email: 'grace@example.com', name: 'Grace', password: PASSWORD };
      const joined = await post(`/auth/invites/${invite.token}/accept`, joining);
      expect(joined.status).toBe(201);
      await post('/auth/logout', {}, { cookie });
      expect(invite.token).toMatch(/^[\w-]{43}$/);
      first.stop();
      expect(await first.ended).toBe(0);
      expect(first.said.text.match(/bootstrap token/g)).toHaveLength(1);
      const hidden = [PASSWORD, SESSION_SECRET, RUN_TOKEN_SECRET, SECRETS_MASTER_KEY];
      for (const secret of [
        ...hidden,
        cookie,
        decodeURIComponent(cookie).slice(14, 40),
        invite.token,
      ]) {
        expect(first.said.text).not.toContain(secret);
      }
      expect(first.said.text.split(token)).toHaveLength(2);

      const second = start('api', environment);
      await until('the second start', () => second.said.text.includes('api is listening'));
      second.stop();
      expect(await second.ended).toBe(0);
      expect(second.said.text).not.toContain('bootstrap token');
    } finally {
      await asker.close();
      await database.drop();
    }
  });
});
