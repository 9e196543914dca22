import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { runCommand } from '../../../test/gateway/run-command';
import {
  closeAll,
  RUN_TOKEN,
  sendBytes,
  serve,
  startGateway,
} from '../../../test/gateway/start-gateway';
import { git, hasGit, sayWhetherTried, startGitServer } from '../../../test/git-server';
import type { Repository } from './repositories';

afterEach(closeAll);

const apiUrl = 'http://127.0.0.1:9';
const authorization = `Bearer ${RUN_TOKEN}`;
const CREDENTIAL = 'bot:a-very-secret-token';

describe('providers of the gateway', () => {
  const KEY = 'sk-the-real-key';

  async function startProvider(
    baseUrl: (port: number) => string = (port) => `http://127.0.0.1:${port}/v1`,
  ) {
    const seen: IncomingMessage[] = [];
    const { port } = await serve((incoming, response) => {
      seen.push(incoming);
      incoming.resume().on('end', () => response.end('data: {"usage":{}}\n\n'));
    });
    const gateway = await startGateway({
      apiUrl,
      providers: {
        anthropic: { baseUrl: baseUrl(port), header: 'X-Api-Key', value: KEY },
        'my-openai': {
          baseUrl: `${baseUrl(port)}/`,
          header: 'Authorization',
          value: `Bearer ${KEY}`,
        },
      },
    });
    const environment = gateway.gateway.environment(gateway.port);
    return { ...gateway, seen, environment, host: `127.0.0.1:${port}` };
  }

  it('receive the operator’s key instead of the run’s placeholder', async () => {
    const { environment, seen, lines, host } = await startProvider();
    expect(JSON.stringify(environment)).not.toContain(KEY);
    const placeholder = environment.ANTHROPIC_API_KEY as string;
    expect(environment.MY_OPENAI_API_KEY).toBe(placeholder);
    const first = await request(`${environment.ANTHROPIC_BASE_URL}/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': placeholder, cookie: 'a=b', 'anthropic-version': '2023-06-01' },
      body: '{}',
    });
    expect(await first.body.text()).toContain('usage');
    const second = await request(`${environment.MY_OPENAI_BASE_URL}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${placeholder}`, 'x-api-key': 'x' },
    });
    expect(second.statusCode).toBe(200);
    expect(seen.map(({ url }) => url)).toEqual(['/v1/messages?beta=true', '/v1/responses']);
    expect(seen[0]?.headers).toMatchObject({
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
      host,
    });
    expect(seen[1]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    const sent = JSON.stringify(seen.map(({ rawHeaders }) => rawHeaders));
    expect(sent).not.toContain(placeholder);
    expect(sent).not.toContain('cookie');
    expect(lines).toEqual([`[egress] ${host} (provider anthropic)`]);
  });

  it.each([
    ['no key', {}],
    ['another key', { 'x-api-key': 'sk-other' }],
    ['the token of the run', { authorization }],
  ])('reject a request with %s', async (_what, headers) => {
    const { environment, seen } = await startProvider();
    const answer = await request(`${environment.ANTHROPIC_BASE_URL}/messages`, { headers });
    expect([answer.statusCode, await answer.body.text()]).toEqual([
      401,
      "a request to anthropic must contain the key from the run's variable ANTHROPIC_API_KEY\n",
    ]);
    expect(seen).toEqual([]);
  });

  it.each([
    '/../admin',
    '/x/../../admin',
    '/%2e%2e/admin',
    '/x/%2E%2e/admin',
    '/..%2fadmin',
    '/..;/admin',
    '/.%2e',
    '\\..\\admin',
  ])('receive no key for a path outside the base path: %s', async (path) => {
    const { port, environment, seen } = await startProvider();
    const answer = await sendBytes(
      port,
      `GET /providers/anthropic${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${environment.ANTHROPIC_API_KEY}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[014] /);
    expect(seen).toEqual([]);
  });

  it.each([
    ['TRACE', '/v1/messages', 405],
    ['GET', '/v1/files', 403],
    ['DELETE', '/v1/files/f_1', 403],
    ['POST', '/v1/messages/batches', 403],
    ['GET', '/v1/responses/resp_1', 403],
  ])(
    'do not receive the request %s %s, because it could access stored data or return the key',
    async (method, path, status) => {
      const { port, environment, seen } = await startProvider();
      const answer = await sendBytes(
        port,
        `${method} /providers/anthropic${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${environment.ANTHROPIC_API_KEY}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(seen).toEqual([]);
    },
  );

  it('respond with 404 if they are unknown, and with 502 if they are unreachable', async () => {
    const { url, environment } = await startProvider(() => 'http://127.0.0.1:1');
    const headers = { 'x-api-key': environment.ANTHROPIC_API_KEY as string };
    expect((await request(`${url}/providers/openai/x`, { headers })).statusCode).toBe(404);
    expect((await request(`${url}/providers`, { headers })).statusCode).toBe(404);
    const away = await request(`${url}/providers/anthropic/v1/models`, { headers });
    expect([away.statusCode, await away.body.text()]).toEqual([
      502,
      'the provider anthropic could not be reached (ECONNREFUSED)\n',
    ]);
  });

  it('set no variables for an agent with its own key or address', async () => {
    const { gateway, port } = await startProvider();
    const names = (own: Record<string, string>) =>
      Object.keys(gateway.environment(port, own)).filter((name) =>
        /_(BASE_URL|API_KEY)$/.test(name),
      );
    const both = [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'MY_OPENAI_API_KEY',
      'MY_OPENAI_BASE_URL',
    ];
    expect(names({ SERVICE_API_KEY: 'x', OTHER: 'y' }).sort()).toEqual(both);
    for (const name of [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
    ]) {
      expect(names({ [name]: 'x' }).sort()).toEqual(both.slice(2));
    }
  });
});

describe('repositories of the gateway', () => {
  sayWhetherTried('git', hasGit());
  if (!hasGit()) return;

  let server: Awaited<ReturnType<typeof startGitServer>>;
  let folder: string;

  beforeEach(async () => {
    server = await startGitServer();
    folder = mkdtempSync(join(tmpdir(), 'gateway-git-'));
    server.create('app', { 'README.md': 'hello\n' });
    git(join(server.work('app'), '../app.git'), 'config', 'http.receivepack', 'true');
    server.create('other');
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const protect = () => {
    server.control.intercept = (incoming, response) => {
      if (incoming.headers.authorization) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    };
  };

  async function start(credential: string | null = CREDENTIAL) {
    const rules = { allowLoopback: false, allowedHosts: [`localhost:${server.port}`] };
    const { caFile } = server;
    const repositories = ['app'].map((name, at) => ({
      prefix: `/repositories/${at}`,
      url: server.url(name),
      credential,
      caFile,
      rules,
    }));
    const started = await startGateway({ apiUrl, repositories });
    const config = started.gateway
      .gitConfig(started.port)
      .flatMap((pair) => ['-c', pair.join('=')]);
    const ask = (cwd: string, ...args: string[]) =>
      runCommand('git', [...config, ...args], {
        cwd,
        env: {
          PATH: process.env.PATH as string,
          HOME: folder,
          GIT_TERMINAL_PROMPT: '0',
          LC_ALL: 'C',
          GIT_AUTHOR_NAME: 'Ada',
          GIT_AUTHOR_EMAIL: 'ada@example.com',
          GIT_COMMITTER_NAME: 'Ada',
          GIT_COMMITTER_EMAIL: 'ada@example.com',
          ...started.gateway.environment(started.port),
        },
      });
    return { ...started, ask };
  }

  it('can be cloned, fetched and pushed at their original address, without revealing the credential to git', async () => {
    protect();
    const { ask, lines } = await start();
    const cloned = await ask(folder, 'clone', server.url('app'), 'app');
    expect(cloned).toMatchObject({ code: 0 });
    const work = join(folder, 'app');
    expect(readFileSync(join(work, 'README.md'), 'utf8')).toBe('hello\n');
    expect((await ask(work, 'remote', 'get-url', '--all', 'origin')).stdout).toContain(
      '/repositories/0/',
    );
    expect(readFileSync(join(work, '.git/config'), 'utf8')).toContain(server.url('app'));
    await ask(work, 'checkout', '-b', 'ada/work');
    await ask(work, 'commit', '--allow-empty', '-m', 'work');
    expect(await ask(work, 'push', 'origin', 'ada/work')).toMatchObject({ code: 0 });
    expect(await ask(work, 'fetch')).toMatchObject({ code: 0 });
    const basic = `Basic ${Buffer.from(CREDENTIAL).toString('base64')}`;
    expect(new Set(server.seen.map(({ authorization: sent }) => sent))).toEqual(new Set([basic]));
    expect(JSON.stringify(await ask(work, 'config', '--list'))).not.toContain('a-very-secret');
    expect(lines).toEqual([`[egress] localhost:${server.port} (repository)`]);
  });

  it('have git settings that replace the configured address and its normalized form with the gateway’s address', async () => {
    const url = 'https://GIT.example.com:443/a/b.git';
    const one = { prefix: '/repositories/7/', url, credential: null, caFile: null };
    const { gateway } = await startGateway({ apiUrl, repositories: [one] });
    expect(gateway.gitConfig(3128)).toEqual([
      ['http.http://127.0.0.1:3128/.extraHeader', `Authorization: Bearer ${RUN_TOKEN}`],
      ['http.http://127.0.0.1:3128/.proxy', ''],
      ['url.http://127.0.0.1:3128/repositories/7/.insteadOf', url],
      ['url.http://127.0.0.1:3128/repositories/7/.insteadOf', 'https://git.example.com/a/b.git'],
    ]);
  });

  it('accept only git’s requests to the run’s repository', async () => {
    const { port } = await start();
    const ask = (path: string, shown = `Authorization: ${authorization}`) =>
      sendBytes(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n${shown}\r\nConnection: close\r\n\r\n`);
    const refs = 'info/refs?service=git-upload-pack';
    expect(await ask(`/repositories/0/${refs}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(server.seen).toHaveLength(1);
    for (const path of [
      `/repositories/0/../other.git/${refs}`,
      `/repositories/0/%2e%2e/other.git/${refs}`,
      `/repositories/0/..%2fother.git/${refs}`,
      `/repositories/0/info/refs?service=git-upload-pack&x=1`,
      '/repositories/0/info/refs',
      '/repositories/0/HEAD',
      '/repositories/0/settings',
      '/repositories/0/info/lfs/objects/batch',
      '/repositories/0',
      '/repositories/00/info/refs?service=git-upload-pack',
      '/repositories/1/info/refs?service=git-upload-pack',
      '/repositories',
    ]) {
      expect([path, (await ask(path)).slice(9, 12)]).toEqual([path, '404']);
    }
    for (const shown of ['X: y', 'Authorization: Bearer other', 'Cookie: a=b']) {
      expect(await ask(`/repositories/0/${refs}`, shown)).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(server.seen).toHaveLength(1);
  });

  it('report to git if the host rejects the credential or sends a redirect', async () => {
    const elsewhere: string[] = [];
    const { port } = await serve((incoming, response) => {
      elsewhere.push(incoming.url ?? '');
      response.end();
    });
    const { ask } = await start(null);
    protect();
    const refused = await ask(folder, 'clone', server.url('app'), 'refused');
    expect(refused.stderr).toContain(`localhost:${server.port} refused the credential`);
    server.control.intercept = (incoming, response) => {
      response.writeHead(301, { location: `http://127.0.0.1:${port}${incoming.url}` }).end();
      return true;
    };
    const led = await ask(folder, 'clone', server.url('app'), 'led');
    expect(led.stderr).toContain('redirects of repositories are not followed');
    expect(elsewhere).toEqual([]);
  });

  it('must have a trusted certificate and an allowed address', async () => {
    const { url, caFile } = { url: server.url('app'), caFile: server.caFile };
    const rules = { allowLoopback: false, allowedHosts: [`localhost:${server.port}`] };
    const one = { prefix: '/repositories/0', url, credential: CREDENTIAL, caFile, rules };
    for (const [repository, status, reason] of [
      [{ ...one, caFile: null }, 502, /DEPTH_ZERO_SELF_SIGNED_CERT/],
      [{ ...one, caFile: join(folder, 'none.pem') }, 502, /ENOENT/],
      [
        { ...one, rules: { ...rules, allowedHosts: [] as string[] } },
        403,
        /has no allowed address/,
      ],
    ] as [Repository, number, RegExp][]) {
      const gateway = await startGateway({ apiUrl, repositories: [repository] });
      const path = '/repositories/0/info/refs?service=git-upload-pack';
      const answer = await request(`${gateway.url}${path}`, { headers: { authorization } });
      expect(answer.statusCode).toBe(status);
      expect(await answer.body.text()).toMatch(reason);
    }
    expect(server.seen).toEqual([]);
  });
});
