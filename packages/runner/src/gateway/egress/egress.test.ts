import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { until } from '@switchyard/testing';
import { request } from 'undici';
import {
  closeAll,
  resolver,
  sendBytes,
  serve,
  startGateway,
} from '../../../test/gateway/start-gateway';

afterEach(closeAll);

const apiUrl = 'http://127.0.0.1:9';
const connectTo = (port: number, place: string) =>
  sendBytes(port, `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`);
const get = (port: number, url: string) =>
  sendBytes(port, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

describe('egress to closed hosts and ports', () => {
  const names = resolver({
    'rebound.example': ['127.0.0.1'],
    'half.example': ['10.0.0.1', 'fd00::1'],
    localhost: ['127.0.0.1', '::1'],
    '127.1': ['127.0.0.1'],
    '2130706433': ['127.0.0.1'],
    '0x7f.1': ['127.0.0.1'],
  });

  it.each([
    '127.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '[::]',
    '127.1',
    '2130706433',
    '0x7f.1',
    '10.0.0.1',
    '192.168.1.1',
    '100.100.100.200',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '[64:ff9b::7f00:1]',
    'rebound.example',
    'half.example',
  ])('fails for %s with a reason, through CONNECT and through plain http', async (host) => {
    const { port, lines } = await startGateway({
      apiUrl,
      rules: { allowedHosts: [], lookup: names },
    });
    const reason = /has no allowed address; the operator can allow .* AGENT_ALLOWED_HOSTS/;
    const tunnel = await connectTo(port, `${host}:443`);
    expect(tunnel).toMatch(/^HTTP\/1\.1 403 Forbidden: /);
    expect(tunnel.split('\r\n\r\n')[1]).toMatch(reason);
    const plain = await get(port, `http://${host}/latest/meta-data/`);
    expect(plain).toMatch(/^HTTP\/1\.1 403 /);
    expect(plain.split('\r\n\r\n')[1]).toMatch(reason);
    expect(lines).toEqual([
      expect.stringMatching(/^\[egress\] refused .+:443: /),
      expect.stringMatching(/^\[egress\] refused .+:80: /),
    ]);
  });

  it.each(['22', '25', '5432', '6379', '8080', '65535'])('fails for port %s', async (number) => {
    const { port } = await startGateway({
      apiUrl,
      rules: { allowedHosts: [], lookup: resolver({}) },
    });
    const text = `port ${number} is closed; only 80, 443 and ports that the operator adds to AGENT_ALLOWED_HOSTS are open`;
    expect(await connectTo(port, `example.org:${number}`)).toContain(text);
    expect(await get(port, `http://example.org:${number}/`)).toContain(text);
  });

  it('checks the addresses of a name at each connection, so a changed DNS record gives no access', async () => {
    const answers = [['127.0.0.1'], ['8.8.8.8']];
    const { port } = await startGateway({
      apiUrl,
      rules: {
        allowedHosts: [],
        lookup: (name, options, callback) =>
          resolver({ [name]: answers.pop() ?? ['127.0.0.1'] })(name, { ...options }, (...found) => {
            if (answers.length === 1)
              callback(Object.assign(new Error('x'), { code: 'EX' }), '', 0);
            else callback(...found);
          }),
      },
    });
    expect(await connectTo(port, 'rebinding.example:443')).toMatch(/^HTTP\/1\.1 502 .*EX/);
    expect(await connectTo(port, 'rebinding.example:443')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('reports a failed connection to an allowed host', async () => {
    const lookup = resolver({ 'away.example': ['127.0.0.1'] });
    const { port, lines } = await startGateway({
      apiUrl,
      rules: { allowedHosts: ['away.example:1'], lookup },
    });
    expect(await connectTo(port, 'nowhere.example:443')).toMatch(
      /^HTTP\/1\.1 502 .*does not exist/,
    );
    expect(await get(port, 'http://nowhere.example/')).toMatch(/^HTTP\/1\.1 502 .*does not exist/);
    expect(await connectTo(port, 'away.example:1')).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/);
    expect(lines).toEqual([]);
  });
});

describe('egress to hosts that the operator opened', () => {
  it('works through CONNECT and plain http only for the listed company, host and port', async () => {
    const [own, other] = [randomUUID(), randomUUID()];
    const { port: site } = await serve((_request, response) => response.end('inside'));
    const lookup = resolver({ 'git.internal': ['127.0.0.1'] });
    const run = (companyId: string) => ({ id: randomUUID(), companyId, token: 'x' });
    const rules = { allowedHosts: [`git.internal:${site}@${own}`], lookup };
    const opened = await startGateway({ apiUrl, rules, run: run(own) });
    expect(await get(opened.port, `http://git.internal:${site}/`)).toContain('inside');
    expect(await get(opened.port, `http://GIT.internal.:${site}/`)).toContain('inside');
    expect(opened.lines).toEqual([`[egress] git.internal:${site}`]);
    const closed = await startGateway({ apiUrl, rules, run: run(other) });
    expect(await get(closed.port, `http://git.internal:${site}/`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await get(opened.port, 'http://git.internal/')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('forwards bytes in both directions of a tunnel until both sides have ended', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('end', () => socket.end(Buffer.concat(chunks)));
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const { port: remote } = echo.address() as AddressInfo;
    const gateway = await startGateway({
      apiUrl,
      rules: { allowedHosts: [`127.0.0.1:${remote}`] },
    });
    const sent = Buffer.alloc(3 * 1024 * 1024, 'abc');
    const { connect } = await import('node:net');
    const client = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    client.on('data', (chunk) => received.push(chunk));
    client.write(`CONNECT 127.0.0.1:${remote} HTTP/1.1\r\nHost: x\r\n\r\nearly`);
    client.end(sent);
    await new Promise((resolve) => client.once('end', resolve));
    const text = Buffer.concat(received).toString('latin1');
    expect(text.startsWith('HTTP/1.1 200 Connection established\r\n\r\nearlyabc')).toBe(true);
    expect(text.length - text.indexOf('early') - 5).toBe(sent.length);
    await until('both ends are gone', () => gateway.open.size === 0);
    await new Promise((resolve) => echo.close(resolve));
  });

  it('forwards plain http with the Host of the address and the client’s other headers', async () => {
    const seen: (string | undefined)[][] = [];
    const { port: site } = await serve((incoming, response) => {
      seen.push([incoming.url, incoming.headers.host, incoming.headers.cookie, incoming.method]);
      response.writeHead(302, 'Elsewhere', { location: 'http://127.0.0.1/', 'x-a': ['1', '2'] });
      response.end();
    });
    const gateway = await startGateway({ apiUrl, rules: { allowedHosts: [`127.0.0.1:${site}`] } });
    const answer = await sendBytes(
      gateway.port,
      `DELETE http://127.0.0.1:${site}?q=1 HTTP/1.1\r\nHost: evil.example\r\nCookie: mine=1\r\nConnection: close, x-private\r\nX-Private: 1\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 302 Elsewhere\r\n/);
    expect(answer.match(/x-a: \d/g)).toEqual(['x-a: 1', 'x-a: 2']);
    expect(seen).toEqual([['/?q=1', `127.0.0.1:${site}`, 'mine=1', 'DELETE']]);
  });
});

describe('gateway with a proxy secret', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  it.each([
    ['nothing', []],
    ['another secret', [basic('run:other')]],
    ['another scheme', ['Bearer the-secret']],
    ['two credentials', [basic('run:the-secret'), basic('run:other')]],
  ])('rejects programs that send %s', async (_what, shown) => {
    const gateway = await startGateway({ apiUrl, proxySecret: 'the-secret' });
    const headers = shown.map((value) => `Proxy-Authorization: ${value}\r\n`).join('');
    for (const asked of ['CONNECT 10.0.0.1:443', 'GET http://10.0.0.1/']) {
      const answer = await sendBytes(
        gateway.port,
        `${asked} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 407 .*\r\nproxy-authenticate: Basic /is);
    }
    expect(gateway.lines).toEqual([]);
  });

  it('accepts programs that use the run’s variables', async () => {
    const { port: site } = await serve((request, response) =>
      response.end(`inside ${request.headers['proxy-authorization']}`),
    );
    const rules = {
      allowedHosts: [`git.internal:${site}`],
      lookup: resolver({ 'git.internal': ['127.0.0.1'] }),
    };
    const { gateway, port } = await startGateway({ apiUrl, rules, proxySecret: 'the-secret' });
    const { username, password } = new URL(gateway.environment(port).HTTP_PROXY as string);
    const answer = await sendBytes(
      port,
      `GET http://git.internal:${site}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${basic(`${username}:${password}`)}\r\n\r\n`,
    );
    expect(answer).toContain('inside undefined');
  });
});

describe('egress with the company’s list of hosts', () => {
  it.each([
    ['example.org', true],
    ['EXAMPLE.ORG', true],
    ['example.org.', true],
    ['www.example.org', false],
    ['xexample.org', false],
    ['example.org.evil.example', false],
    ['a.example.net', true],
    ['a.b.example.net', true],
    ['example.net', false],
    ['8.8.8.8', false],
    ['[2606:4700::1111]', false],
  ])('given the host %s, allows access: %s', async (host, isAllowed) => {
    const gateway = await startGateway({
      apiUrl,
      allowList: ['example.org', '*.example.net'],
      rules: { allowedHosts: [], lookup: resolver({}) },
    });
    for (const answer of [
      await connectTo(gateway.port, `${host}:443`),
      await get(gateway.port, `http://${host}/`),
    ]) {
      const isListed = !answer.includes('is not among the hosts that the company allows');
      expect([answer.slice(9, 12), isListed]).toEqual([isAllowed ? '502' : '403', isAllowed]);
    }
  });

  it('reaches only hosts in both lists, and no host if the company’s list is empty', async () => {
    const { port: site } = await serve((_request, response) => response.end('inside'));
    const rules = { allowedHosts: [`127.0.0.1:${site}`] };
    for (const [allowList, status] of [
      [['127.0.0.1'], '200'],
      [['example.org'], '403'],
      [[], '403'],
    ] as const) {
      const { port } = await startGateway({ apiUrl, rules, allowList });
      expect((await get(port, `http://127.0.0.1:${site}/`)).slice(9, 12)).toBe(status);
    }
  });
});

it('the egress log names each reached host once and each refused host once, up to a hundred hosts', async () => {
  const { port: site } = await serve((_request, response) => response.end('x'));
  const { port, url, lines } = await startGateway({
    apiUrl,
    rules: { allowedHosts: [`127.0.0.1:${site}`], lookup: resolver({}) },
  });
  for (let round = 0; round < 3; round++) await get(port, `http://127.0.0.1:${site}/`);
  await connectTo(
    port,
    `127.0.0.1:${site}`.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
  );
  expect(lines).toHaveLength(2);
  for (let at = 0; at < 150; at++) await connectTo(port, `10.0.0.${at}:443`);
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe('[egress] further hosts are not listed');
  expect((await request(`${url}/x`)).statusCode).toBe(401);
});
