import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@switchyard/db';
import { listPids } from '@switchyard/runner/test/living-processes';
import { until } from '@switchyard/testing';
import type { AgentDetailView, SecretView } from '@switchyard/types';
import { openAsker, type Question, type Reply } from './ask';
import {
  createCanaries,
  createRecordingLogger,
  findCanaries,
  readFiles,
  readRedis,
  readTables,
} from './canaries';
import { useHarness } from './harness';

const SAY_ALL = `
  const { readFileSync } = require('node:fs');
  for (const [name, value] of Object.entries(process.env)) {
    console.log(name + '=' + value);
    console.error(JSON.stringify({ [name]: value }), Buffer.from(value).toString('base64'));
  }
  console.log(readFileSync('/proc/self/environ', 'latin1'));
  const usage = { type: 'usage', provider: process.env.MY_TOKEN, model: process.env.MY_LITERAL_TOKEN };
  console.log(JSON.stringify({ ...usage, inputTokens: 1, outputTokens: 1, costCents: 1 }));`;

const TOKEN_BEGINNING = 'eyJhbGciOiJIUzI1NiIs';

const HANG = 'setInterval(() => undefined, 1000);';

/**
 * Places that contain a configuration's literal values by design, because revisions restore them.
 */
const CONFIGURATION = new Set([
  'table agent.adapter_config',
  'table agent_config_revision.before',
  'table agent_config_revision.after',
]);

describe('credentials', () => {
  const { logger, lines } = createRecordingLogger();
  const harness = useHarness({ context: { logger } });
  const canaries = createCanaries();
  const replies: [string, string][] = [];
  let asker: ReturnType<typeof openAsker>;
  let companyId: string;
  let agent: AgentDetailView;
  let secret: SecretView;

  const ask = async (question: Question): Promise<Reply> => {
    const reply = await asker.ask(question);
    const place = `answer ${reply.status} to ${question.method} ${question.path.slice(0, 60)}`;
    replies.push([place, JSON.stringify([reply.headers, reply.body])]);
    return reply;
  };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await ask({ method, path, body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body as T;
  };
  const program = (source: string) => ({ command: process.execPath, args: ['-e', source] });
  const refuses = async (question: Question) => {
    const { status } = await ask(question);
    expect({ path: question.path, refused: status >= 400 && status < 500 }).toMatchObject({
      refused: true,
    });
  };
  const runOf = async (agentId: string) => {
    const { id } = await call<{ id: string }>(
      'POST',
      `/api/agents/${agentId}/heartbeat/invoke`,
      {},
    );
    await harness.drain();
    await call('GET', `/api/heartbeat-runs/${id}/log?limit=100000`);
    return call<{ status: string; errorCode: string | null }>('GET', `/api/heartbeat-runs/${id}`);
  };

  beforeAll(async () => {
    asker = openAsker(harness.url);
    companyId = (await call<{ id: string }>('POST', '/api/companies', { name: 'Aviary' })).id;
    const path = `/api/companies/${companyId}/secrets`;
    const body = { name: 'TOKEN', value: canaries.make('secret') };
    const headers = { 'idempotency-key': `first-${companyId}` };
    secret = (await ask({ method: 'POST', path, body, headers })).body as SecretView;
    await ask({ method: 'POST', path, body, headers });
    await call('PATCH', `/api/secrets/${secret.id}`, { value: canaries.make('next version') });
    const env = {
      MY_TOKEN: { type: 'secret_ref', secretId: secret.id },
      MY_PINNED: { type: 'secret_ref', secretId: secret.id, version: 1 },
      MY_LITERAL_TOKEN: canaries.make('literal'),
    };
    agent = await call<AgentDetailView>('POST', `/api/companies/${companyId}/agents`, {
      name: 'Canary',
      adapterType: 'process',
      adapterConfig: { ...program(SAY_ALL), env },
    });
  });
  afterAll(() => asker.close());

  it('do not leak when a run prints everything that it receives', async () => {
    const path = `/api/agents/${agent.id}`;
    const withConfig = async (config: object) => {
      const adapterConfig = { ...agent.adapterConfig, ...config };
      await call('PATCH', path, { adapterConfig });
      return runOf(agent.id);
    };
    expect(await runOf(agent.id)).toMatchObject({ status: 'succeeded' });
    const failing = await withConfig(program(`${SAY_ALL} process.exitCode = 3;`));
    expect(failing).toMatchObject({ errorCode: 'adapter_exit' });
    const missing = await withConfig({ command: '/nothing/here' });
    expect(missing).toMatchObject({ errorCode: 'command_not_found' });
    const [first] = (await call<{ id: string }[]>('GET', `${path}/config-revisions`)).slice(-1);
    await call('POST', `${path}/config-revisions/${first?.id}/rollback`);
    expect(await harness.db.costEvent.count()).toBe(2);
  });

  it('do not leak when an adapter throws them, or when a secret cannot be decrypted', async () => {
    const { build, scripted, db } = harness;
    const env = { MY_TOKEN: { type: 'secret_ref', secretId: secret.id, version: 'latest' } };
    const thrower = await build.agent({ companyId, adapterConfig: { env } });
    scripted.on(thrower.id, (run) => {
      canaries.add('run token', run.environment.SERVICE_API_KEY as string);
      throw new Error(`defect with ${JSON.stringify(run.environment)}`);
    });
    expect(await runOf(thrower.id)).toMatchObject({ errorCode: 'adapter_error' });
    const keys = await db.secretKey.findMany({ where: { companyId } });
    await db.secretKey.updateMany({ where: { companyId }, data: { masterKeyId: 'lost' } });
    expect(await runOf(thrower.id)).toMatchObject({ errorCode: 'secret_unavailable' });
    const masterKeyId = keys[0]?.masterKeyId as string;
    await db.secretKey.updateMany({ where: { companyId }, data: { masterKeyId } });
  });

  it('do not leak when an http agent repeats the headers that it receives', async () => {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.statusCode = 422;
      response.end(JSON.stringify(request.headers) + body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const caller = await harness.build.agent({
      companyId,
      adapterType: 'http',
      adapterConfig: {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        headers: {
          authorization: `Bearer ${canaries.make('header')}`,
          'x-api-key': canaries.make('second header'),
        },
        env: { MY_TOKEN: { type: 'secret_ref', secretId: secret.id } },
      },
    });
    expect(await runOf(caller.id)).toMatchObject({ status: 'failed' });
    await new Promise((resolve) => server.close(resolve));
  });

  /** Returns null during an exec, because /proc then shows no environment. */
  function processOf(runId: string) {
    for (const pid of listPids(`SERVICE_RUN_ID=${runId}`)) {
      try {
        const [environ, cmdline] = ['environ', 'cmdline'].map((name) =>
          readFileSync(`/proc/${pid}/${name}`, 'latin1'),
        ) as [string, string];
        if (environ.includes('MY_TOKEN=')) return { environ, cmdline };
      } catch {}
    }
    return null;
  }

  it('appear in a child process’s environment, but not in its arguments', async () => {
    const { drain } = harness;
    const adapterConfig = { ...agent.adapterConfig, ...program(HANG) };
    await call('PATCH', `/api/agents/${agent.id}`, { adapterConfig });
    const path = `/api/agents/${agent.id}/heartbeat/invoke`;
    const { id } = await call<{ id: string }>('POST', path, {});
    const drained = drain();
    const { environ, cmdline } = await until('the process', () => processOf(id));
    expect(findCanaries(canaries.all, [['arguments', cmdline]])).toEqual([]);
    expect(findCanaries(canaries.all, [['environment', environ]])).toEqual([
      'literal in environment',
      'next version in environment',
      'secret in environment',
    ]);
    await call('POST', `/api/heartbeat-runs/${id}/cancel`);
    await drained;
  });

  it('do not leak when the API refuses a call that contains them', async () => {
    const { build } = harness;
    const authorization = await build.apiKey(agent.id);
    canaries.add('API key', authorization.slice('Bearer '.length));
    const secrets = `/api/companies/${companyId}/secrets`;
    const one = `/api/secrets/${secret.id}`;
    const make = (name: string) => canaries.make(name);
    const bodies: [string, (canary: string) => unknown][] = [
      ['too long', (value) => ({ name: 'A', value: value.repeat(1_000) })],
      ['in an object', (value) => ({ name: 'A', value: { value } })],
      ['in a list', (value) => ({ name: 'A', value: [value] })],
      ['in another field', (value) => ({ name: 'A', vallue: value })],
      ['in a description of the wrong type', (value) => ({ name: 'A', description: [value] })],
      ['with NUL', (value) => ({ name: 'A', value: `${value}\0` })],
      ['with half a pair', (value) => ({ name: 'A', value: `${value}\ud800` })],
      ['with a blank name', (value) => ({ name: '', value })],
      ['as the whole body', (value) => JSON.stringify(value)],
      ['in broken JSON', (value) => `{"name": "A", "value": "${value}"`],
      ['in JSON cut inside', (value) => `{"name": "A", "value": "${value}`],
    ];
    for (const [name, bodyOf] of bodies) {
      const headers = { 'idempotency-key': newId() };
      const sent = { method: 'POST', path: secrets, headers };
      await refuses({ ...sent, body: bodyOf(make(`posted ${name}`)) });
      await refuses({ method: 'PATCH', path: one, body: bodyOf(make(`patched ${name}`)) });
    }
    const valid = (name: string) => ({ name: 'TOKEN', value: make(name) });
    const post = { method: 'POST', path: secrets };
    await refuses({ ...post, body: valid('of a taken name') });
    await refuses({ ...post, body: valid('by an agent'), headers: { authorization } });
    await refuses({ ...post, body: valid('of nobody'), path: `/api/companies/${newId()}/secrets` });
    await refuses({
      ...post,
      body: JSON.stringify(valid('as text')),
      headers: { 'content-type': 'text/plain' },
    });
    const query = `${secrets}?value=${make('in a query')}`;
    await refuses({ method: 'GET', path: query });
    await refuses({ method: 'POST', path: query, body: { name: 'A', value: 'v' } });
    for (const scheme of ['Bearer', 'Bearer swy_', 'Basic', 'Bearer a']) {
      const credential = `${scheme} ${make(`${scheme} credential`)}`.replace('_ ', '_');
      await refuses({ method: 'GET', path: secrets, headers: { authorization: credential } });
    }
    const cookie = `service.sid=${make('cookie')}`;
    await ask({ method: 'GET', path: secrets, headers: { cookie } });
  });

  it('do not leak when the API refuses an agent configuration that contains them', async () => {
    const agents = `/api/companies/${companyId}/agents`;
    const secretRef = (secretId: unknown) => ({ type: 'secret_ref', secretId });
    const base = { name: 'Refused', adapterType: 'http' };
    const url = 'http://127.0.0.1:1/';
    const configs: [string, (canary: string) => object][] = [
      ['a long literal', (value) => ({ url, env: { A: value.repeat(1_000) } })],
      ['a literal with NUL', (value) => ({ url, env: { A: `${value}\0` } })],
      ['a literal in a list', (value) => ({ url, env: { A: [value] } })],
      ['a literal beside a wrong one', (value) => ({ url, env: { A: value, B: 1 } })],
      [
        'a literal beside a lost reference',
        (value) => ({ url, env: { A: value, B: secretRef(newId()) } }),
      ],
      ['a reference', (value) => ({ url, env: { A: secretRef(value) } })],
      ['a header of two lines', (value) => ({ url, headers: { A: `${value}\r\nB: c` } })],
      ['a header in a list', (value) => ({ url, headers: { A: [value] } })],
      ['a URL', (value) => ({ url: `http://user:${value}@127.0.0.1/` })],
      ['an unknown field', (value) => ({ url, password: value })],
    ];
    for (const [name, configOf] of configs) {
      for (const [method, path] of [
        ['POST', agents],
        ['PATCH', `/api/agents/${agent.id}`],
      ] as const) {
        const adapterConfig = configOf(canaries.make(`${method} of ${name}`));
        await refuses({ method, path, body: { ...base, adapterConfig } });
      }
    }
    const literal = { url, env: { A: canaries.make('a literal of a taken name') } };
    const body = { ...base, name: 'Canary', adapterConfig: literal };
    await refuses({ method: 'POST', path: agents, body });
    const env = { A: canaries.make('a literal of an unknown adapter') };
    const unknown = { ...base, adapterType: 'none', adapterConfig: { env } };
    await refuses({ method: 'POST', path: agents, body: unknown });
  });

  it('appear in no response, log, file or Redis key, and in no table except the agent configuration', async () => {
    for (const path of [
      '',
      '/secrets',
      '/agents',
      '/org',
      '/activity',
      '/heartbeat-runs',
      '/dashboard',
    ]) {
      await call('GET', `/api/companies/${companyId}${path}`);
    }
    await call('GET', `/api/agents/${agent.id}`);
    await call('GET', `/api/agents/${agent.id}/keys`);
    await call('GET', `/api/agents/${agent.id}/config-revisions`);
    expect(canaries.all.size).toBeGreaterThan(60);

    const tables = await readTables(harness);
    const redis = await readRedis(harness.config.redisPrefix);
    expect(redis.length).toBeGreaterThan(0);
    expect(lines.length).toBeGreaterThan(0);
    const places = [
      ...tables.filter(([place]) => !CONFIGURATION.has(place)),
      ...redis,
      ...lines,
      ...replies,
      ...readFiles(harness.config.dataDir),
    ];
    expect(findCanaries(canaries.all, places)).toEqual([]);
    const tokens = places.filter(([, content]) => content.includes(TOKEN_BEGINNING));
    expect(tokens.map(([place]) => place)).toEqual([]);

    const configured = tables.filter(([place]) => CONFIGURATION.has(place));
    const names = findCanaries(canaries.all, configured).map((found) => found.split(' in ')[0]);
    expect([...new Set(names)]).toEqual(['header', 'literal', 'second header']);
  });

  it('appear in the findings of this sweep, even in hexadecimal or base64', () => {
    const canary = canaries.make('planted');
    const planted: [string, string][] = [
      ['plain', `x${canary}x`],
      ['hexadecimal', `\\x${Buffer.from(canary).toString('hex')}`],
      ['base64', Buffer.from(`user:${canary}`).toString('base64')],
    ];
    const only = new Map([['planted', canary]]);
    expect(findCanaries(only, planted)).toHaveLength(planted.length);
  });
});
