import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './self-signed';

const { PATH } = process.env;

const author = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' };
const committer = { GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.com' };
const quiet = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
const env = { PATH, ...author, ...committer, ...quiet };

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

export function hasGit(): boolean {
  try {
    const folder = execFileSync('git', ['--exec-path'], { env, encoding: 'utf8', stdio: 'pipe' });
    execFileSync('test', ['-x', join(folder.trim(), 'git-http-backend')]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds a test whose name reports whether the following tests can run; `name` is the package to
 * install.
 */
export function sayWhetherTried(name: string, isHere: boolean): void {
  it(
    isHere
      ? `runs the following tests with ${name}`
      : `skips the following tests until ${name} is installed`,
    () => {
      expect([true, false]).toContain(isHere);
    },
  );
}

function answerAsCgi(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'https://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: (request.headers['git-protocol'] as string) ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => undefined);
  request.pipe(backend.stdin);
  let head: Buffer | null = Buffer.alloc(0);
  backend.stdout.on('data', (chunk: Buffer) => {
    if (!head) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name, value] = line.split(/: (.*)/) as [string, string];
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = null;
  });
  backend.on('close', () => response.end());
}

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves repositories over https on loopback with git's `http-backend`. `seen` contains the
 * requests with their `Authorization` header; `intercept` may answer a request instead.
 */
export async function startGitServer() {
  const root = mkdtempSync(join(tmpdir(), 'git-server-'));
  const { key, certificate } = selfSigned();
  const caFile = join(root, 'ca.pem');
  writeFileSync(caFile, certificate);
  const seen: { path: string; authorization: string | undefined }[] = [];
  const control: { intercept: Intercept } = { intercept: () => false };
  const server = createServer({ key, cert: certificate }, (request, response) => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (!control.intercept(request, response)) answerAsCgi(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };

  const commit = (name: string, files: Record<string, string>): string => {
    const work = join(root, `${name}-work`);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(work, file), text);
    git(work, 'add', '--all');
    git(work, 'commit', '--quiet', '--message', 'work');
    git(work, 'push', '--quiet', '--force', 'origin', 'HEAD:main');
    return git(work, 'rev-parse', 'HEAD');
  };

  return {
    caFile,
    port,
    seen,
    control,
    url: (name: string) => `https://localhost:${port}/${name}.git`,
    create: (name: string, files: Record<string, string> = { 'README.md': `${name}\n` }) => {
      git(root, 'init', '--quiet', '--bare', '--initial-branch=main', `${name}.git`);
      mkdirSync(join(root, `${name}-work`));
      const work = join(root, `${name}-work`);
      git(work, 'init', '--quiet', '--initial-branch=main');
      git(work, 'remote', 'add', 'origin', join(root, `${name}.git`));
      return commit(name, files);
    },
    commit,
    work: (name: string) => join(root, `${name}-work`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
