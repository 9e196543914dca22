import {
  codexConfig,
  codingAgentConfig,
} from '@switchyard/runner/agents/coding-agents/coding-agent-config';
import { CODING_TOOLS } from '@switchyard/runner/agents/coding-agents/coding-tools';
import { processConfig } from '@switchyard/runner/agents/command/process-config';
import type { OpenApiDocument } from '@switchyard/server';
import { adapterAliases } from '@switchyard/types';
import { z } from 'zod';
import { externalConfig } from '../../adapters/agents/external/external-adapter';
import { httpConfig } from '../../adapters/agents/http/http-config';

type Schema = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>[string];

export const ADAPTER_CONFIGS: Record<string, { types: string[]; schema: z.ZodType }> = {
  ProcessConfig: { types: ['process'], schema: processConfig },
  HttpConfig: { types: ['http'], schema: httpConfig },
  ExternalConfig: { types: ['external'], schema: externalConfig },
  CodingAgentConfig: { types: typesBy(codingAgentConfig), schema: codingAgentConfig },
  CodexConfig: { types: typesBy(codexConfig), schema: codexConfig },
};

export function describeAdapterConfigs(document: OpenApiDocument): OpenApiDocument {
  const schemas = { ...document.components?.schemas } as Record<string, Schema>;
  for (const name of ['CreateAgentBody', 'ProposedAdapter']) {
    if (schemas[name]) schemas[name] = { ...schemas[name], allOf: [referenceTo('AdapterChoice')] };
  }
  for (const name of ['UpdateAgentBody', 'CreateHireBody']) {
    const body = schemas[name] as { properties?: Record<string, Schema> } | undefined;
    if (!body) continue;
    const adapterConfig = { ...body.properties?.adapterConfig, anyOf: ANY_CONFIG };
    schemas[name] = { ...body, properties: { ...body.properties, adapterConfig } } as Schema;
  }
  for (const [name, { schema }] of Object.entries(ADAPTER_CONFIGS)) {
    schemas[name] = writtenForm(schema);
  }
  schemas.AdapterChoice = { oneOf: Object.entries(ADAPTER_CONFIGS).map(choiceOf) } as Schema;
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(sorted) },
  };
}

function typesBy(schema: z.ZodType): string[] {
  return CODING_TOOLS.filter(({ configSchema }) => configSchema === schema).map(
    ({ adapterType }) => adapterType,
  );
}

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const ANY_CONFIG = Object.keys(ADAPTER_CONFIGS).map(referenceTo);

function writtenForm(schema: z.ZodType): Schema {
  const { $schema: _, ...form } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return form as Schema;
}

function choiceOf([name, { types, schema }]: [string, (typeof ADAPTER_CONFIGS)[string]]) {
  const names = types.flatMap((type) => [type, ...adapterAliases(type)]);
  const isNeeded = !schema.safeParse({}).success;
  return {
    type: 'object',
    required: ['adapterType', ...(isNeeded ? ['adapterConfig'] : [])],
    properties: {
      adapterType: { type: 'string', enum: names },
      adapterConfig: referenceTo(name),
    },
  };
}
