import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface LargeRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer;
  times: number;
}

type SendingClient = (request: LargeRequest) => Promise<string[]>;

const run = promisify(execFile);

const textOf = (error: unknown) => {
  const { code, cause, message } = error as Error & { code?: string };
  return (cause as { code?: string } | undefined)?.code ?? code ?? message;
};

async function repeat(times: number, send: () => Promise<number | string>): Promise<string[]> {
  const seen: string[] = [];
  for (let at = 0; at < times; at++) seen.push(String(await send().catch(textOf)));
  return seen;
}

const sendByFetch: SendingClient = ({ url, method, headers, body, times }) =>
  repeat(times, async () => {
    const answer = await fetch(url, { method, headers, body: new Uint8Array(body) });
    await answer.text();
    return answer.status;
  });

const sendBySocket: SendingClient = ({ url, method, headers, body, times }) =>
  repeat(times, () => {
    const { hostname, port, host, pathname, search } = new URL(url);
    return new Promise((resolve, reject) => {
      const all = { host, ...headers, 'content-length': body.length, connection: 'close' };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const socket = connect(Number(port), hostname).pause();
      socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
      socket.write(body, () => socket.resume());
      let answer = '';
      socket.on('data', (text) => {
        answer += text;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(answer.split(' ')[1] ?? 'no answer'));
    });
  });

async function withBodyFile<T>(body: Buffer, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-body-'));
  try {
    const path = join(folder, 'body');
    await writeFile(path, body);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const linesOf = ({ stdout }: { stdout: string }) => stdout.trim().split('\n');

const sendByCurl: SendingClient = ({ url, method, headers, body, times }) =>
  withBodyFile(body, async (path) => {
    const all = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const once = ['-o', '/dev/null', url];
    const args = ['-sS', '-X', method, ...all, '-w', '%{http_code}\n', '--data-binary', `@${path}`];
    const urls = Array.from({ length: times }, () => once).flat();
    return linesOf(await run('curl', [...args, ...urls]).catch((error) => error));
  });

const PYTHON = `
import http.client, json, sys
given = json.load(sys.stdin)
body = open(given['path'], 'rb').read()
for _ in range(given['times']):
    connection = http.client.HTTPConnection(given['host'])
    try:
        connection.request(given['method'], given['target'], body, given['headers'])
        print(connection.getresponse().status)
    except OSError as error:
        print(type(error).__name__)
    connection.close()
`;

const sendByPython: SendingClient = ({ url, body, ...rest }) =>
  withBodyFile(body, async (path) => {
    const { host, pathname, search } = new URL(url);
    const running = run('python3', ['-c', PYTHON]);
    running.child.stdin?.end(JSON.stringify({ ...rest, host, target: pathname + search, path }));
    return linesOf(await running);
  });

export const SENDING_CLIENTS: Record<string, { send: SendingClient; program?: string }> = {
  'fetch of Node': { send: sendByFetch },
  'a socket that writes first': { send: sendBySocket },
  curl: { send: sendByCurl, program: 'curl' },
  'http.client of Python': { send: sendByPython, program: 'python3' },
};

export const hasProgram = (name: string): Promise<boolean> =>
  run(name, ['--version']).then(
    () => true,
    () => false,
  );
