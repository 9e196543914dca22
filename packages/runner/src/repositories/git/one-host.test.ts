import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { showsProxySecret } from '../../network/proxy-secret';
import { openOneHost } from './one-host';

describe('openOneHost()', () => {
  const closing: (() => void)[] = [];
  afterAll(() => {
    for (const close of closing) close();
  });
  const listen = async (onSocket: (socket: Socket) => void) => {
    const server = createServer(onSocket).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const open = async (secret: string | null) => {
    const port = await listen((socket) => socket.end('hello of the host'));
    const host = openOneHost({ host: '127.0.0.1', port, addresses: [] }, secret);
    closing.push(host.close);
    const proxy = await listen(host.accept);
    return async (authorization: string | null, target = `127.0.0.1:${port}`) => {
      const socket = connect(proxy, '127.0.0.1');
      const header = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${header}\r\n`);
      let text = '';
      for await (const part of socket) text += part;
      return text;
    };
  };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('forwards only requests that contain the secret of the command', async () => {
    const ask = await open('abc');
    for (const wrong of [null, basic('run:abd'), basic('abc'), 'Bearer abc', 'Basic']) {
      const refused = await ask(wrong);
      expect(refused).toMatch(/^HTTP\/1\.1 407 /);
      expect(refused).not.toContain('hello of the host');
    }
    expect(await ask(basic('run:abc'))).toContain('hello of the host');
    expect(await ask(basic('run:abc'), '127.0.0.1:1')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('requires no secret if the sandbox has its own network', async () => {
    expect(await (await open(null))(null)).toContain('hello of the host');
  });

  it('rejects repeated headers', () => {
    expect(showsProxySecret([basic('run:abc'), basic('run:abc')], 'abc')).toBe(false);
  });
});
