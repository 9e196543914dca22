import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentDetailView, SecretView } from '@switchyard/types';
import { Webhook } from 'standardwebhooks';
import { useHarness } from '../../../../test/harness';
import { SUCCEEDED } from '../../../../test/scripted-adapter';

const hash = (value: string) => createHash('sha256').update(value).digest('hex');
const referTo = ({ id }: SecretView, version: number | 'latest' = 'latest') => ({
  type: 'secret_ref',
  secretId: id,
  version,
});

/**
 * Prints whether the arguments contain a value, and the hashes of the received values: a mask would
 * hide the values themselves.
 */
const SAY_HASHES = `
  const { createHash } = require('node:crypto');
  const hash = (value) => createHash('sha256').update(value).digest('hex');
  const mine = Object.entries(process.env).filter(([name]) => name.startsWith('MY_'));
  const line = require('node:fs').readFileSync('/proc/self/cmdline', 'utf8');
  console.log(JSON.stringify({
    hashes: Object.fromEntries(mine.map(([name, value]) => [name, hash(value)])),
    inArguments: mine.some(([, value]) => line.includes(value)),
  }));`;

const SAY_FORMS = `
  const value = process.env.MY_TOKEN;
  const forms = [
    value,
    Buffer.from(value).toString('base64'),
    Buffer.from('user:' + value).toString('base64'),
    Buffer.from(value).toString('base64url'),
    encodeURIComponent(value),
    new URLSearchParams({ q: value }).toString(),
    JSON.stringify({ value }),
  ];
  for (const form of forms) console.log('<' + form + '>');
  const { writeSync } = require('node:fs');
  for (const byte of Buffer.from('<' + value + '>')) writeSync(2, Buffer.from([byte]));
  console.log(JSON.stringify({ type: 'usage', provider: 'p-' + value, model: value, inputTokens: 1, outputTokens: 1, costCents: 1 }));`;

describe('secrets of a run', () => {
  const harness = useHarness();

  const program = (source: string, env: object) => ({
    adapterType: 'process',
    adapterConfig: { command: process.execPath, args: ['-e', source], env },
  });
  const runOf = async (agent: AgentDetailView) => {
    const { id } = await harness.build.queuedRun(agent.id);
    await harness.drain();
    const { body: run } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
    const { body: log } = await harness.api.get(`/api/heartbeat-runs/${id}/log`).expect(200);
    return { run, log: log.content as string };
  };

  it('appear decrypted in the environment, in the latest or pinned version', async () => {
    const { api, build } = harness;
    const secret = await build.secret({ value: 'first value' });
    const { companyId } = secret;
    const other = await build.secret({ companyId, value: 'pässwörd\n🗝' });
    const env = {
      MY_LATEST: referTo(secret),
      MY_PINNED: referTo(secret, 1),
      MY_OTHER: { type: 'secret_ref', secretId: other.id },
      MY_LITERAL: 'literal',
    };
    const agent = await build.agent({ companyId, ...program(SAY_HASHES, env) });
    const hashes = {
      MY_LATEST: hash('first value'),
      MY_PINNED: hash('first value'),
      MY_OTHER: hash('pässwörd\n🗝'),
      MY_LITERAL: hash('literal'),
    };
    const first = await runOf(agent);
    expect(first.run).toMatchObject({ status: 'succeeded' });
    expect(JSON.parse(first.log)).toEqual({ hashes, inArguments: false });

    await api.patch(`/api/secrets/${secret.id}`).send({ value: 'second value' }).expect(200);
    const second = await runOf(agent);
    expect(JSON.parse(second.log).hashes).toEqual({ ...hashes, MY_LATEST: hash('second value') });
  });

  it('have the value that was current when the run was claimed', async () => {
    const { api, build, drain } = harness;
    const secret = await build.secret({ value: 'before' });
    const env = { MY_TOKEN: referTo(secret) };
    const agent = await build.agent({
      companyId: secret.companyId,
      ...program(SAY_HASHES, env),
    });
    const { id } = await build.queuedRun(agent.id);
    await api.patch(`/api/secrets/${secret.id}`).send({ value: 'after' }).expect(200);
    await drain();
    const { body } = await api.get(`/api/heartbeat-runs/${id}/log`).expect(200);
    expect(JSON.parse(body.content).hashes).toEqual({ MY_TOKEN: hash('after') });
  });

  it.each([
    ['from another company', 'MY_B', 'must name an existing secret and version'],
    ['moved from another version', 'MY_B', 'cannot be decrypted'],
    ['moved from another secret', 'MY_B', 'cannot be decrypted'],
    ['encrypted with a lost master key', 'MY_A', 'cannot be decrypted'],
  ])(
    'cause the run to fail with an error that names the variable if a secret is %s',
    async (what, variable, text) => {
      const { build, context, db } = harness;
      const a = await build.secret({ value: 'value of a' });
      const { companyId } = a;
      const b = await build.secret({ companyId, value: 'value of b' });
      const env = { MY_A: referTo(a), MY_B: referTo(b) };
      const agent = await build.agent({ companyId, ...program(SAY_HASHES, env) });
      const { pool } = context.db;
      const moved = (from: string, version: number) =>
        pool.query(
          `UPDATE secret_version SET ciphertext = (SELECT ciphertext FROM secret_version
          WHERE secret_id = $2 AND version = $3) WHERE secret_id = $1 AND version = $4`,
          [b.id, from, version, what.includes('version') ? 2 : 1],
        );
      if (what === 'from another company') {
        const foreign = await build.secret({ value: 'value of another' });
        const adapterConfig = {
          ...program(SAY_HASHES, { ...env, MY_B: referTo(foreign) }).adapterConfig,
        };
        await db.agent.update({ where: { id: agent.id }, data: { adapterConfig } });
      } else if (what === 'moved from another version') {
        await harness.api.patch(`/api/secrets/${b.id}`).send({ value: 'second of b' }).expect(200);
        await moved(b.id, 1);
      } else if (what === 'moved from another secret') await moved(a.id, 1);
      else await db.secretKey.updateMany({ where: { companyId }, data: { masterKeyId: 'lost' } });

      const { run, log } = await runOf(agent);
      expect(run).toMatchObject({ status: 'failed', errorCode: 'secret_unavailable', attempt: 1 });
      expect(run.error).toContain(`env.${variable} ${text}`);
      expect(run.error).not.toContain('value of');
      expect(log).toBe('');
      expect(await db.heartbeatRun.count({ where: { agentId: agent.id } })).toBe(1);
    },
  );

  it('cause the run to fail if they make the environment larger than 65,536 bytes', async () => {
    const { build } = harness;
    const secret = await build.secret({ value: 'x'.repeat(8_192) });
    const names = Array.from({ length: 8 }, (_, at) => `MY_${at}`);
    const env = Object.fromEntries(names.map((name) => [name, referTo(secret)]));
    const { companyId } = secret;
    const fits = await build.agent({ companyId, ...program('', env) });
    expect((await runOf(fits)).run).toMatchObject({ status: 'succeeded' });
    const more = await build.agent({ companyId, ...program('', { ...env, MY_LITERAL: 'x' }) });
    expect((await runOf(more)).run).toMatchObject({
      status: 'failed',
      errorCode: 'environment_too_large',
    });
  });

  it('do not appear in the output or in reported usage, in any encoding', async () => {
    const { build, db } = harness;
    const value = 'p?ss "wörd"/+&é 9f3c';
    const secret = await build.secret({ value });
    const env = { MY_TOKEN: referTo(secret) };
    const agent = await build.agent({
      companyId: secret.companyId,
      ...program(SAY_FORMS, env),
    });
    const { run, log } = await runOf(agent);
    expect(run).toMatchObject({ status: 'succeeded' });
    const lines = log.split('\n').filter((line) => line.startsWith('<'));
    const prefix = Buffer.from('user:').toString('base64').slice(0, 6);
    expect(lines.slice(0, 2)).toEqual(['<***>', '<***>']);
    expect(lines[2]?.startsWith(`<${prefix}`)).toBe(true);
    expect(lines[2]).toContain('***');
    expect(lines.slice(3, 7)).toEqual(['<***>', '<***>', '<q=***>', '<{"value":"***"}>']);
    expect(log).toContain('<***>');
    for (const form of [value, encodeURIComponent(value), 'wörd', '9f3c']) {
      expect(log).not.toContain(form);
    }
    expect(await db.costEvent.findMany({ select: { provider: true, model: true } })).toEqual([
      { provider: 'p-***', model: '***' },
    ]);
  });

  it('include literal values of variables that are named like credentials, but not of other variables', async () => {
    const env = { PORT: '8080', BRANCH: 'main', FLAG: 'true', MY_API_KEY: 'canary of a literal' };
    const source = `const { PORT, BRANCH, FLAG, MY_API_KEY } = process.env;
      console.log('port', PORT, 'on', BRANCH, FLAG, 'with', MY_API_KEY);`;
    const agent = await harness.build.agent(program(source, env));
    expect((await runOf(agent)).log).toBe('port 8080 on main true with ***\n');
  });

  it('do not appear in the error of a failed run or in an exception of the adapter', async () => {
    const { build, scripted, db } = harness;
    const secret = await build.secret({ value: 'canary of a failure' });
    const agent = await build.agent({
      companyId: secret.companyId,
      adapterConfig: { env: { MY_TOKEN: { ...referTo(secret) } } },
    });
    scripted.on(agent.id, (run) => ({
      status: 'failed',
      exitCode: 1,
      errorCode: 'adapter_exit',
      error: `refused ${run.environment.MY_TOKEN}`,
      transient: false,
    }));
    expect((await runOf(agent)).run.error).toBe('refused ***');
    scripted.on(agent.id, (run) => {
      throw new Error(`threw ${run.environment.MY_TOKEN}`);
    });
    expect((await runOf(agent)).run).toMatchObject({
      errorCode: 'adapter_error',
      error: 'threw ***',
    });
    const { errorReason } = await db.agent.findUniqueOrThrow({ where: { id: agent.id } });
    expect(errorReason).toBe('threw ***');
    scripted.on(agent.id, () => SUCCEEDED);
  });

  it('do not appear when an HTTP agent repeats its headers or environment', async () => {
    const { build } = harness;
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push(body);
      const { authorization } = request.headers;
      response.end(`${authorization}|${authorization?.slice(7)}|${request.headers.accept}|${body}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const secret = await build.secret({ value: 'canary in the environment' });
    const agent = await build.agent({
      companyId: secret.companyId,
      adapterType: 'http',
      adapterConfig: {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        headers: { authorization: 'Bearer canary-in-a-header', accept: 'text/plain' },
        env: { MY_TOKEN: referTo(secret) },
      },
    });
    const { run, log } = await runOf(agent);
    await new Promise((resolve) => server.close(resolve));
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(JSON.parse(seen[0] as string).environment.MY_TOKEN).toBe('canary in the environment');
    expect(log).toMatch(/^\*\*\*\|\*\*\*\|text\/plain\|/);
    expect(log).not.toContain('canary');
  });

  it('can be used to sign the call to an HTTP agent, and cannot be deleted while they are in use', async () => {
    const { api, build } = harness;
    const value = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    const secret = await build.secret({ value });
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const headers = request.headers as Record<string, string>;
      const { runId } = new Webhook(value).verify(body, headers) as { runId: string };
      response.end(`verified ${runId} with ${value.slice(6)}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const agent = await build.agent({
      companyId: secret.companyId,
      adapterType: 'http',
      adapterConfig: {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        signingSecret: referTo(secret),
      },
    });
    const { run, log } = await runOf(agent);
    await new Promise((resolve) => server.close(resolve));
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(log).toBe(`verified ${run.id} with ***`);
    const { body: refusal } = await api.delete(`/api/secrets/${secret.id}`).expect(409);
    expect(refusal.details.usedBy).toMatchObject([
      { kind: 'agent', fields: ['adapterConfig.signingSecret'] },
    ]);
    const unknown = { type: 'secret_ref', secretId: secret.companyId };
    const { adapterConfig } = agent;
    const { body: refused } = await api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterConfig: { ...adapterConfig, signingSecret: unknown } })
      .expect(422);
    expect(refused.details).toMatchObject({ field: 'adapterConfig.signingSecret' });
  });
});
