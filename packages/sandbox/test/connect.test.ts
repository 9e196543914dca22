import type { Socket } from 'node:net';
import type { Driver, Sandbox } from '../src';
import { CONFINING, newFolder, open, policyOf, removeFolders, run } from './spawned';

afterAll(removeFolders);

const proxy = (answer: string, heard: string[]) => (socket: Socket) => {
  socket.on('error', () => {});
  socket.once('data', (chunk: Buffer) => {
    const text = chunk.toString();
    heard.push(text);
    socket.write(`${answer}\r\nX-From: a proxy\r\n\r\n`);
    socket.on('data', (more: Buffer) => socket.write(more.toString().toUpperCase()));
    socket.on('end', () => socket.end('end'));
  });
};

describe.each<Driver>(CONFINING)('a tunnel through the proxy, under %s', (driver) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await open(driver);
  });

  async function connect(answer: string, args: string[], proxyOf: (port: number) => string | null) {
    const heard: string[] = [];
    const network = await sandbox.openNetwork(proxy(answer, heard));
    const folder = newFolder();
    const HTTP_PROXY = proxyOf(network.port);
    const command = {
      command: sandbox.entry as string,
      args: ['connect', ...args],
      cwd: folder,
      environment: { ...(HTTP_PROXY !== null && { HTTP_PROXY }) },
      input: 'hello '.repeat(50_000),
    };
    const { exit, stdout, stderr } = await run(sandbox, command, policyOf(folder, { network }));
    await network.close();
    return { code: exit.code, stdout, stderr, heard };
  }
  const plain = (port: number) => `http://127.0.0.1:${port}`;

  it('transfers all data in both directions', async () => {
    const { code, stdout, heard } = await connect('HTTP/1.1 200 OK', ['git.test', '22'], plain);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${'HELLO '.repeat(50_000)}end` });
    expect(heard).toEqual(['CONNECT git.test:22 HTTP/1.1\r\nHost: git.test:22\r\n\r\n']);
  });

  it('sends the credentials of the proxy URL to the proxy', async () => {
    const to = (port: number) => `http://run:a-token@127.0.0.1:${port}/`;
    const { heard } = await connect('HTTP/1.1 200 OK', ['::1', '22'], to);
    expect(heard[0]).toContain('CONNECT [::1]:22 HTTP/1.1\r\n');
    const basic = Buffer.from('run:a-token').toString('base64');
    expect(heard[0]).toContain(`\r\nProxy-Authorization: Basic ${basic}\r\n`);
  });

  it('fails with the proxy’s reason if the proxy refuses the tunnel', async () => {
    const { code, stdout, stderr } = await connect(
      'HTTP/1.1 403 git.test is not on the list',
      ['git.test', '22'],
      plain,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('403 git.test is not on the list');
  });

  it.each([
    [['git.test', '22'], () => null, 'HTTP_PROXY must be'],
    [['git.test', '22'], () => 'https://127.0.0.1:1', 'HTTP_PROXY must be'],
    [['git.test', '22'], () => 'http://proxy.test:3128', 'HTTP_PROXY must be'],
    [['git.test\r\nX: y', '22'], plain, 'not a host and a port'],
    [['git.test', '22x'], plain, 'not a host and a port'],
  ])('fails for %j without opening a connection', async (args, proxyOf, words) => {
    const { code, stderr, heard } = await connect('HTTP/1.1 200 OK', args, proxyOf);
    expect({ code, heard }).toEqual({ code: 1, heard: [] });
    expect(stderr).toContain(words);
  });
});
