import type { Tool as Definition } from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface ToolAnswer {
  text: string;
  fields?: Record<string, unknown>;
}

export interface Tool<Caller> {
  name: string;
  description: string;
  input: z.ZodObject;
  output?: z.ZodObject;
  reads: boolean;
  destroys: boolean;
  run(args: never, caller: Caller): Promise<ToolAnswer>;
}

export function tool<Caller>() {
  return <Input extends z.ZodObject>(
    declared: Omit<Tool<Caller>, 'input' | 'run' | 'reads' | 'destroys'> & {
      input: Input;
      reads?: true;
      destroys?: true;
      run(args: z.output<Input>, caller: Caller): Promise<ToolAnswer>;
    },
  ): Tool<Caller> => ({ reads: false, destroys: false, ...declared }) as Tool<Caller>;
}

export interface ToolSet<Caller> {
  tools: ReadonlyMap<string, Tool<Caller>>;
  definitions: Definition[];
}

export function toolSet<Caller>(tools: readonly Tool<Caller>[]): ToolSet<Caller> {
  return {
    tools: new Map(tools.map((each) => [each.name, each])),
    definitions: tools.map(definitionOf),
  };
}

function definitionOf(tool: Tool<never>): Definition {
  const { name, description, input, output, reads, destroys } = tool;
  return {
    name,
    description,
    inputSchema: jsonSchema(input, 'input'),
    ...(output && { outputSchema: jsonSchema(output, 'output') }),
    // Clients ask a person before they call an open-world tool.
    annotations: { readOnlyHint: reads, destructiveHint: destroys, openWorldHint: false },
  };
}

/** Returns a schema in as few tokens as possible, because models read it with every request. */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output') {
  const {
    $schema: _,
    additionalProperties: __,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: each }) => {
      if (each.minimum === Number.MIN_SAFE_INTEGER) delete each.minimum;
      if (each.maximum === Number.MAX_SAFE_INTEGER) delete each.maximum;
      if (each.additionalProperties === false) delete each.additionalProperties;
    },
  });
  return rest as Definition['inputSchema'];
}
