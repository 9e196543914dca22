import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodingAgents } from '@switchyard/runner/agents/coding-agents/coding-agents';
import { createProcessAdapter } from '@switchyard/runner/agents/command/process-adapter';
import { defineProcessAdapter } from '@switchyard/runner/agents/command/process-definition';
import { probePrograms } from '@switchyard/runner/agents/probe-programs';
import { CONFINEMENTS } from '@switchyard/runner/test/confinements';
import { until } from '@switchyard/testing';
import type { AdapterView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { executedOf, startTestRunner } from '../../../test/runner';
import { createAdapterRegistry } from '../../adapters/agents/adapter-registry';
import { createHttpAdapter } from '../../adapters/agents/http/http-adapter';
import { recordProbes } from './probe-adapters';

describe('GET /api/adapters', () => {
  let folder: string;
  const models = {
    claudeCode: { configured: [{ id: 'sonnet', label: 'Sonnet' }], command: 'stand-in-of-a' },
    codex: { configured: [], command: '/nowhere/b' },
    openCode: { command: '/nowhere/c' },
    prices: {},
  };
  const registry = (path = '', allowedCommands: string[] | 'any' = 'any') => {
    const children = { inherited: { PATH: path }, homes: null, confinements: CONFINEMENTS };
    const allowedVariables = 'any' as const;
    const rules = { allowedCommands, allowedVariables };
    return createAdapterRegistry([
      { ...defineProcessAdapter(rules), ...createProcessAdapter({ ...rules, children }) },
      createHttpAdapter({ allowLoopback: true, httpsOnly: false, allowedHosts: [] }),
      ...createCodingAgents({
        settings: models,
        allowedVariables,
        children,
        listModels: async () => null,
      }),
    ]);
  };
  const harness = useHarness({ config: { models }, context: { adapters: registry() } });
  const list = async () =>
    (await harness.api.get('/api/adapters').expect(200)).body as AdapterView[];
  const of = async (type: string) => (await list()).find((one) => one.type === type);
  const probe = (host: string, adapters = registry()) =>
    probePrograms(executedOf(adapters)).then((probes) =>
      recordProbes({ ...harness.context, adapters }, host, probes),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-adapters-'));
    await writeFile(join(folder, 'stand-in-of-a'), '#!/bin/sh\n');
    await chmod(join(folder, 'stand-in-of-a'), 0o755);
  });
  beforeEach(() => harness.db.adapterProbe.deleteMany());
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('returns every type with its configuration schema and its models', async () => {
    const all = await list();
    expect(all.map(({ type, label }) => [type, label])).toEqual([
      ['process', 'Command'],
      ['http', 'HTTP'],
      ['model_a_local', 'Claude Code'],
      ['model_b_local', 'Codex'],
      ['model_c_local', 'OpenCode'],
    ]);
    expect(all.map(({ aliases }) => aliases)).toEqual([
      [],
      [],
      ['claude_code'],
      ['codex'],
      ['opencode'],
    ]);
    const [command, , a] = all as [AdapterView, AdapterView, AdapterView];
    expect(command.description).toContain('Runs a command');
    expect(command.configSchema).toMatchObject({
      type: 'object',
      required: ['command'],
      additionalProperties: false,
      properties: {
        command: { type: 'string', maxLength: 4096 },
        timeoutSec: { type: 'number', default: 3600 },
        env: { additionalProperties: { anyOf: expect.any(Array) } },
      },
    });
    expect(a.models).toEqual([{ id: 'sonnet', label: 'Sonnet' }]);
    expect(command.models).toEqual([]);
  });

  it('returns `available: null` if no runner has reported recently', async () => {
    const unknown = {
      available: null,
      reason: 'no runner has reported on it in the last 5 minutes',
      lookedAt: null,
    };
    expect(await of('model_a_local')).toMatchObject(unknown);
    expect(await of('http')).toMatchObject({
      available: true,
      reason: 'no installation required',
      lookedAt: null,
    });
    await probe('one', registry(folder));
    expect(await of('model_a_local')).toMatchObject({ available: true });
    await harness.db.adapterProbe.updateMany({ data: { lookedAt: new Date(0) } });
    expect(await of('model_a_local')).toMatchObject(unknown);
  });

  it('reports whether runners have found the executable, and on how many runners it was found', async () => {
    await probe('one');
    expect(await of('model_a_local')).toMatchObject({
      available: false,
      reason: 'the Claude Code executable (CLAUDE_CODE_COMMAND) was not found',
      lookedAt: expect.stringMatching(/Z$/),
    });
    expect(await of('process')).toMatchObject({
      available: true,
      reason: 'any command is allowed',
    });
    await probe('two', registry(folder));
    expect(await of('model_a_local')).toMatchObject({
      available: true,
      reason:
        'the Claude Code executable (CLAUDE_CODE_COMMAND) was found; available on 1 of 2 runners',
    });
    await probe('one', registry(folder));
    expect((await of('model_a_local'))?.reason).toBe(
      'the Claude Code executable (CLAUDE_CODE_COMMAND) was found',
    );
  });

  it('reports how many of the allowed commands exist on the runner', async () => {
    await probe('one', registry(folder, []));
    expect(await of('process')).toMatchObject({
      available: false,
      reason: 'PROCESS_ADAPTER_COMMANDS allows no command',
    });
    await probe('one', registry(folder, ['stand-in-of-a', '/nowhere/x']));
    expect(await of('process')).toMatchObject({
      available: true,
      reason: '1 of 2 commands of PROCESS_ADAPTER_COMMANDS exist',
    });
  });

  it('excludes hosts whose last report is older than a day, because such reports are deleted', async () => {
    await probe('old');
    await harness.db.adapterProbe.updateMany({ data: { lookedAt: new Date(0) } });
    await probe('new');
    const rows = await harness.db.adapterProbe.findMany();
    expect([...new Set(rows.map(({ host }) => host))]).toEqual(['new']);
  });

  it('executes only one SQL statement', async () => {
    const runner = await startTestRunner(harness.context);
    try {
      await until('a runner has looked', async () => (await harness.db.adapterProbe.count()) > 0);
    } finally {
      await runner.close();
    }
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await list();
      expect(query.mock.calls).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
  });

  it('returns 200 to agents', async () => {
    const authorization = await harness.build.apiKey(
      (
        await harness.build.agent({
          adapterType: 'http',
          adapterConfig: { url: 'http://localhost:1/' },
        })
      ).id,
    );
    await harness.api.get('/api/adapters').set('Authorization', authorization).expect(200);
  });
});
