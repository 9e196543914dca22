import { newId } from '@switchyard/db';
import type { AgentWarning } from '@switchyard/types';
import { useAuthenticatedHarness } from '../../../../test/authenticated-harness';
import { useHarness } from '../../../../test/harness';

const codes = ({ warnings }: { warnings: AgentWarning[] }) => warnings.map(({ code }) => code);

describe('configuration warnings in authenticated mode', () => {
  const harness = useAuthenticatedHarness({
    config: { processAdapterCommands: ['listed'] },
    context: { context: { adapters: undefined } },
  });
  const create = async (adapterType: string, adapterConfig: object) => {
    const { id } = await harness.build.company();
    const body = { name: `Agent ${newId()}`, adapterType, adapterConfig: { ...adapterConfig } };
    const answer = await harness.founding.post(`/api/companies/${id}/agents`).send(body);
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it('name a command that is not allowed, and the setting that lists allowed commands', async () => {
    const { warnings } = await create('process', { command: 'node' });
    const setting = 'PROCESS_ADAPTER_COMMANDS';
    const message = `node must be in ${setting}; the operator lists programs there, but never an interpreter such as python3`;
    expect(warnings).toEqual([{ code: 'command_not_allowed', message, setting }]);
    expect((await create('process', { command: 'listed' })).warnings).toEqual([]);
  });

  it.each([
    'https://10.0.0.7/run',
    'https://[::1]:8443/',
    'https://127.0.0.1/',
    'https://localhost/',
  ])('name the setting that allows the address %s', async (url) => {
    const { warnings } = await create('http', { url });
    expect(warnings).toEqual([
      {
        code: 'address_refused',
        message: expect.stringContaining('HTTP_ADAPTER_ALLOWED_HOSTS'),
        setting: 'HTTP_ADAPTER_ALLOWED_HOSTS',
      },
    ]);
  });

  it('do not appear for a public address, or for a private address that the operator has allowed', async () => {
    expect((await create('http', { url: 'https://agents.example.com/' })).warnings).toEqual([]);
    harness.config.httpAdapterAllowedHosts.push('10.0.0.8:8443');
    expect((await create('http', { url: 'https://10.0.0.8:8443/' })).warnings).toEqual([]);
    expect(codes(await create('http', { url: 'https://10.0.0.8/' }))).toEqual(['address_refused']);
  });

  it.each([
    ['claude_code', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
    ['codex', 'CODEX_API_KEY', 'CODEX_LEVEL'],
    ['opencode', 'OPENROUTER_API_KEY', 'OPENROUTER_BASE_URL'],
  ])(
    'do not appear for %s if %s is set, but still appear if only %s is set',
    async (adapterType, key, other) => {
      const { id: companyId } = await harness.build.company();
      const at = (env: object) =>
        harness.founding
          .post(`/api/companies/${companyId}/agents`)
          .send({ name: `Agent ${newId()}`, adapterType, adapterConfig: { env } });
      const { body: signedIn } = await at({ [key]: 'x' }).expect(201);
      expect(signedIn.warnings).toEqual([]);
      const { body: none } = await at({}).expect(201);
      expect(none.warnings).toEqual([
        { code: 'no_key', message: expect.stringContaining('in its own HOME') },
      ]);
      const { status, body } = await at({ [other]: 'x' });
      if (status === 201) expect(codes(body)).toEqual(['no_key']);
      else expect(body.details[0].code).toBe('variable_not_allowed');
    },
  );

  it('appear on updates and rollbacks, but not on reads', async () => {
    const agent = await create('process', { command: 'node' });
    const path = `/api/agents/${agent.id}`;
    const { founding } = harness;
    const renamed = await founding.patch(path).send({ title: 'Chief' }).expect(200);
    expect(codes(renamed.body)).toEqual(['command_not_allowed']);
    const config = { adapterConfig: { command: 'listed' } };
    expect((await founding.patch(path).send(config).expect(200)).body.warnings).toEqual([]);
    const { body: revisions } = await founding.get(`${path}/config-revisions`).expect(200);
    const first = revisions.find(({ source }: { source: string }) => source === 'create');
    const rollback = `${path}/config-revisions/${first.id}/rollback`;
    expect(codes((await founding.post(rollback).send({}).expect(200)).body)).toEqual([
      'command_not_allowed',
    ]);
    const { body: read } = await founding.get(path).expect(200);
    expect(read).not.toHaveProperty('warnings');
  });

  it('appear when a hire is approved, but not when a strategy is approved', async () => {
    const { id: companyId } = await harness.build.company();
    const { founding } = harness;
    const hire = async (fields: object) => {
      const answer = await founding
        .post(`/api/companies/${companyId}/agent-hires`)
        .send({ name: `Agent ${newId()}`, ...fields })
        .expect(201);
      return `/api/approvals/${answer.body.approval.id}/approve`;
    };
    const unsettled = await founding.post(await hire({})).expect(200);
    expect(unsettled.body).toMatchObject({
      status: 'approved',
      warnings: [{ code: 'bad_config', message: expect.stringContaining('adapterConfig.command') }],
    });
    const adapter = { adapterType: 'process', adapterConfig: { command: 'node' } };
    const chosen = await founding
      .post(await hire({}))
      .send({ adapter })
      .expect(200);
    expect(codes(chosen.body)).toEqual(['command_not_allowed']);
    const fit = { adapterType: 'process', adapterConfig: { command: 'listed' } };
    expect((await founding.post(await hire(fit)).expect(200)).body.warnings).toEqual([]);
    const strategy = await founding
      .post(`/api/companies/${companyId}/approvals`)
      .send({ type: 'approve_ceo_strategy' })
      .expect(201);
    const approved = await founding.post(`/api/approvals/${strategy.body.id}/approve`).expect(200);
    expect(approved.body.warnings).toEqual([]);
  });
});

describe('configuration warnings in local trusted mode', () => {
  const harness = useHarness();
  const warningsOf = async (adapterType: string, adapterConfig: object) => {
    const { id: companyId } = await harness.build.company();
    const { body } = await harness.api
      .post(`/api/companies/${companyId}/agents`)
      .send({ name: 'Ada', adapterType, adapterConfig })
      .expect(201);
    return body.warnings as AgentWarning[];
  };

  it('appear only for missing model keys and for private addresses', async () => {
    expect(await warningsOf('process', { command: 'anything' })).toEqual([]);
    expect(await warningsOf('http', { url: 'http://localhost:5678/' })).toEqual([]);
    expect(await warningsOf('http', { url: 'http://10.0.0.7/' })).toMatchObject([
      { code: 'address_refused', setting: 'HTTP_ADAPTER_ALLOWED_HOSTS' },
    ]);
    expect(await warningsOf('claude_code', {})).toEqual([
      { code: 'no_key', message: expect.stringContaining("the runner's user must be signed in") },
    ]);
    const secret = await harness.build.secret();
    const env = { ANTHROPIC_API_KEY: { type: 'secret_ref', secretId: secret.id } };
    const { companyId } = secret as unknown as { companyId: string };
    const { body } = await harness.api
      .post(`/api/companies/${companyId}/agents`)
      .send({ name: 'Ada', adapterType: 'claude_code', adapterConfig: { env } })
      .expect(201);
    expect(body.warnings).toEqual([]);
  });
});
