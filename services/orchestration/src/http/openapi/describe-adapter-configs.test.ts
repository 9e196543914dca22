import type { OpenApiDocument } from '@switchyard/server';
import { useHarness } from '../../../test/harness';
import { document } from '../../../test/operations';
import { ADAPTER_CONFIGS } from './describe-adapter-configs';

describe('the adapter configurations in the OpenAPI document', () => {
  const harness = useHarness();
  const made: OpenApiDocument = document();
  const schemas = (made.components?.schemas ?? {}) as Record<string, Record<string, unknown>>;

  it('use the schemas with which the adapters validate configurations', () => {
    const { all } = harness.context.adapters;
    const described = Object.values(ADAPTER_CONFIGS).flatMap(({ types, schema }) =>
      types.map((type) => [type, schema] as const),
    );
    const checked = all.flatMap(({ type, configSchema }) =>
      type === 'scripted' ? [] : [[type, configSchema] as const],
    );
    for (const [type, schema] of checked) {
      expect(described.find(([name]) => name === type)?.[1]).toBe(schema);
    }
  });

  it('list every name of an adapter type', () => {
    expect(schemas.AdapterChoice).toEqual({
      oneOf: [
        {
          type: 'object',
          required: ['adapterType', 'adapterConfig'],
          properties: {
            adapterType: { type: 'string', enum: ['process'] },
            adapterConfig: { $ref: '#/components/schemas/ProcessConfig' },
          },
        },
        expect.objectContaining({ required: ['adapterType', 'adapterConfig'] }),
        expect.objectContaining({ required: ['adapterType'] }),
        {
          type: 'object',
          required: ['adapterType'],
          properties: {
            adapterType: {
              type: 'string',
              enum: [...['model_a_local', 'claude_code'], ...['model_c_local', 'opencode']],
            },
            adapterConfig: { $ref: '#/components/schemas/CodingAgentConfig' },
          },
        },
        {
          type: 'object',
          required: ['adapterType'],
          properties: {
            adapterType: { type: 'string', enum: ['model_b_local', 'codex'] },
            adapterConfig: { $ref: '#/components/schemas/CodexConfig' },
          },
        },
      ],
    });
    expect(schemas.ProcessConfig).toMatchObject({
      type: 'object',
      required: ['command'],
      additionalProperties: false,
    });
    expect(schemas.CodingAgentConfig).not.toHaveProperty('required');
  });

  it('appear in every body that contains an adapter configuration', () => {
    const choice = [{ $ref: '#/components/schemas/AdapterChoice' }];
    expect(schemas.CreateAgentBody?.allOf).toEqual(choice);
    expect(schemas.ProposedAdapter?.allOf).toEqual(choice);
    for (const name of ['UpdateAgentBody', 'CreateHireBody']) {
      const fields = (schemas[name]?.properties ?? {}) as Record<string, { anyOf: object[] }>;
      expect(fields.adapterConfig?.anyOf).toHaveLength(Object.keys(ADAPTER_CONFIGS).length);
    }
  });
});
