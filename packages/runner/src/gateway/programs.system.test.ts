import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandAnswer, runCommand } from '../../test/gateway/run-command';
import {
  closeAll,
  RUN_TOKEN,
  resolver,
  type StartedGateway,
  serve,
  startGateway,
} from '../../test/gateway/start-gateway';
import { hasGit, sayWhetherTried } from '../../test/git-server';
import { selfSigned } from '../../test/self-signed';

const SITE = 'site.example';
const { PATH = '' } = process.env;

function has(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const nodeKnowsProxies = major >= 24 || (major === 22 && minor >= 21);

const here = {
  curl: has('curl', '--version'),
  git: hasGit(),
  npm: has('npm', '--version'),
  pip: has('python3', '-m', 'pip', '--version'),
  python3: has('python3', '-c', 'import ssl, urllib.request'),
  'python3-requests': has('python3', '-c', 'import requests'),
  'node-24': nodeKnowsProxies,
};

describe('programs that use the gateway', () => {
  let folder: string;
  let gateway: StartedGateway;
  let secure: string;
  let plain: string;
  let answer: RequestListener;
  let variables: Record<string, string>;
  const requests: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-programs-'));
    requests.length = 0;
    answer = (_request, response) => response.end('hello');
    const { key, certificate } = selfSigned(SITE);
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, certificate);
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url}`);
      answer(request, response);
    };
    const server = createServer({ key, cert: certificate }, listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: securePort } = server.address() as { port: number };
    const { port: plainPort } = await serve(listener);
    const { port: apiPort } = await serve((request, response) => {
      const isSeen = request.headers.authorization === `Bearer ${RUN_TOKEN}`;
      response.writeHead(isSeen ? 200 : 401).end(`api ${request.url}`);
    });
    secure = `https://${SITE}:${securePort}`;
    plain = `http://${SITE}:${plainPort}`;
    gateway = await startGateway({
      apiUrl: `http://127.0.0.1:${apiPort}`,
      proxySecret: 'the-secret-of-this-run',
      rules: {
        allowedHosts: [`${SITE}:${securePort}`, `${SITE}:${plainPort}`],
        lookup: resolver({ [SITE]: ['127.0.0.1'] }),
      },
    });
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    });
    variables = {
      PATH,
      HOME: folder,
      SERVICE_API_KEY: RUN_TOKEN,
      CURL_CA_BUNDLE: caFile,
      GIT_SSL_CAINFO: caFile,
      NODE_EXTRA_CA_CERTS: caFile,
      npm_config_cafile: caFile,
      PIP_CERT: caFile,
      SSL_CERT_FILE: caFile,
      REQUESTS_CA_BUNDLE: caFile,
      ...gateway.gateway.environment(gateway.port),
    };
  });

  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await closeAll();
    for (const close of closers.splice(0)) await close();
  });

  const run = (command: string, ...args: string[]): Promise<CommandAnswer> =>
    runCommand(command, args, { cwd: folder, env: variables });

  for (const [name, isHere] of Object.entries(here)) sayWhetherTried(name, isHere);
  const where = (isHere: boolean) => (isHere ? it : () => undefined);

  where(here.curl)(
    'curl reaches https and http hosts and the API, but not a closed host',
    async () => {
      const curl = (...args: string[]) => run('curl', '-sS', ...args);
      expect(await curl(`${secure}/a`)).toMatchObject({ code: 0, stdout: 'hello' });
      expect(await curl(`${plain}/b?c=d`)).toMatchObject({ code: 0, stdout: 'hello' });
      const file = join(folder, 'upload');
      writeFileSync(file, Buffer.alloc(5 * 1024 * 1024));
      answer = (request, response) => {
        let size = 0;
        request.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        request.on('end', () => response.end(String(size)));
      };
      for (const site of [secure, plain]) {
        expect((await curl('-T', file, `${site}/up`)).stdout).toBe(String(5 * 1024 * 1024));
      }
      const { SERVICE_API_URL } = variables;
      const me = await curl(
        '-H',
        `Authorization: Bearer ${RUN_TOKEN}`,
        `${SERVICE_API_URL}/api/me`,
      );
      expect(me.stdout).toBe('api /api/me');
      expect((await curl(`${SERVICE_API_URL}/api/me`)).stdout).toContain('unauthenticated');
      const refused = await curl('https://169.254.169.254/latest');
      expect(refused.code).toBe(56);
      expect(refused.stderr).toContain('403');
      expect((await curl('http://169.254.169.254/latest')).stdout).toContain('AGENT_ALLOWED_HOSTS');
      expect(requests).toEqual(['GET /a', 'GET /b?c=d', 'PUT /up', 'PUT /up']);
    },
  );

  where(here.git)('git uses a repository that does not belong to the project', async () => {
    const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd });
    const bare = join(folder, 'bare.git');
    git(folder, 'init', '--quiet', '--bare', bare);
    const commit = git(
      bare,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit-tree',
      '-m',
      'x',
      treeOf(bare),
    );
    git(bare, 'update-ref', 'refs/heads/main', commit.toString().trim());
    git(bare, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    git(bare, 'update-server-info');
    answer = (request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname.replace('/bare.git', '');
      try {
        response.end(readFileSync(join(bare, path)));
      } catch {
        response.writeHead(404).end();
      }
    };
    const cloned = await run('git', 'clone', `${secure}/bare.git`, 'clone');
    expect(cloned).toMatchObject({ code: 0 });
    expect(git(join(folder, 'clone'), 'rev-parse', 'HEAD')).toEqual(commit);
  });

  where(here.npm)('npm installs a package from a registry', async () => {
    const source = join(folder, 'source');
    mkdirSync(source);
    writeFileSync(join(source, 'package.json'), '{"name":"tiny","version":"1.0.0"}');
    execFileSync('npm', ['pack', '--silent'], { cwd: source, env: { PATH, HOME: folder } });
    const tarball = readFileSync(join(source, 'tiny-1.0.0.tgz'));
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    answer = (request, response) => {
      if (request.url?.endsWith('.tgz')) return response.end(tarball);
      const dist = { tarball: `${secure}/tiny-1.0.0.tgz`, integrity };
      const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } };
      return response.end(
        JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions }),
      );
    };
    const args = ['--registry', secure, '--no-audit', '--no-fund', '--no-update-notifier'];
    const installed = await run('npm', 'install', 'tiny', ...args, '--prefix', folder);
    expect(installed).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'node_modules/tiny/package.json'), 'utf8')).toContain('tiny');
  });

  where(here.pip)('pip installs a wheel from an index', async () => {
    const wheel = join(folder, 'tiny-1.0-py3-none-any.whl');
    execFileSync('python3', ['-c', WHEEL, wheel]);
    answer = (request, response) => {
      if (request.url?.endsWith('.whl')) return response.end(readFileSync(wheel));
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<a href="/files/tiny-1.0-py3-none-any.whl">tiny-1.0-py3-none-any.whl</a>');
    };
    const args = ['--index-url', `${secure}/simple`, '--no-deps', '--disable-pip-version-check'];
    const target = join(folder, 'target');
    const pip = await run('python3', '-m', 'pip', 'install', ...args, '--target', target, 'tiny');
    expect(pip).toMatchObject({ code: 0 });
    expect(readFileSync(join(target, 'tiny.py'), 'utf8')).toBe('x = 1\n');
  });

  it('include Node, which reaches the API without a proxy', async () => {
    const program = `
      const { SERVICE_API_URL, SERVICE_API_KEY } = process.env;
      const headers = { authorization: 'Bearer ' + SERVICE_API_KEY };
      fetch(SERVICE_API_URL + '/api/me', { headers }).then((answer) => answer.text()).then(console.log);`;
    const { stdout } = await run(process.execPath, '-e', program);
    expect(stdout).toBe('api /api/me\n');
  });

  where(here['node-24'])('Node reaches public hosts with fetch and http', async () => {
    const program = `
      const [secure, plain] = process.argv.slice(1);
      const text = async (url) => (await fetch(url)).text();
      const get = (url) => new Promise((resolve, reject) => {
        require(url.split(':')[0]).get(url, (answer) => answer.setEncoding('utf8').on('data', resolve)).on('error', reject);
      });
      (async () => console.log(await text(secure), await text(plain), await get(secure), await get(plain)))();`;
    const { stdout } = await run(process.execPath, '-e', program, secure, plain);
    expect(stdout).toBe('hello hello hello hello\n');
  });

  where(here.python3)('Python reaches public hosts and the API with urllib', async () => {
    const program = `
import os, sys, urllib.request, urllib.error
for url in sys.argv[1:3]:
    print(urllib.request.urlopen(url).read().decode())
api = urllib.request.Request(os.environ['SERVICE_API_URL'] + '/api/me', headers={'Authorization': 'Bearer ' + os.environ['SERVICE_API_KEY']})
print(urllib.request.urlopen(api).read().decode())
try:
    urllib.request.urlopen('https://10.0.0.1/')
except urllib.error.URLError as error:
    print(error)
`;
    const { stdout } = await run('python3', '-c', program, secure, plain);
    expect(stdout.split('\n').slice(0, 3)).toEqual(['hello', 'hello', 'api /api/me']);
    expect(stdout).toContain('403 Forbidden: 10.0.0.1 has no allowed address');
  });

  where(here['python3-requests'])(
    'Python reaches public hosts and the API with requests',
    async () => {
      const program = `
import os, sys, requests
with requests.Session() as session:
    print(session.get(sys.argv[1]).text, session.get(sys.argv[2]).text, session.post(sys.argv[2], data=b'x' * 1000).text)
    api = session.get(os.environ['SERVICE_API_URL'] + '/api/me', headers={'Authorization': 'Bearer ' + os.environ['SERVICE_API_KEY']})
    print(api.text)
`;
      const { stdout } = await run('python3', '-c', program, secure, plain);
      expect(stdout).toBe('hello hello hello\napi /api/me\n');
    },
  );
});

function treeOf(bare: string): string {
  return execFileSync('git', ['mktree'], { cwd: bare, input: '' }).toString().trim();
}

const WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('tiny.py', 'x = 1\\n')
    wheel.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')
    wheel.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr('tiny-1.0.dist-info/RECORD', 'tiny.py,,\\ntiny-1.0.dist-info/METADATA,,\\ntiny-1.0.dist-info/WHEEL,,\\ntiny-1.0.dist-info/RECORD,,\\n')
`;
