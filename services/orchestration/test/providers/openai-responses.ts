import { event, type ProviderFormat } from './provider-script';

const SHELLS: Record<string, (command: string) => object> = {
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
};

export const OPENAI_RESPONSES: ProviderFormat = {
  paths: /\/responses$/,
  shellCall: (body, command) => {
    const tools = (body.tools ?? []) as { name?: string }[];
    const name = tools.find(
      ({ name: one }) => one !== undefined && Object.hasOwn(SHELLS, one),
    )?.name;
    return name === undefined ? null : { name, input: SHELLS[name]?.(command) ?? {} };
  },
  // Codex finds a server's tools only through a search, but also accepts a call of a tool without a
  // search.
  serverCall: (body, tool, input) =>
    body.tools === undefined ? null : { name: tool, namespace: 'mcp__switchyard', input },
  write: ({ id, say, call, tokens }) => {
    const total = tokens.input + tokens.cacheRead + tokens.cacheWrite;
    const items = [
      ...(say === undefined
        ? []
        : [
            {
              type: 'message',
              role: 'assistant',
              id: `msg_${id}`,
              content: [{ type: 'output_text', text: say }],
            },
          ]),
      ...(call
        ? [
            {
              type: 'function_call',
              id: `fc_${id}`,
              call_id: `call_${id}`,
              name: call.name,
              namespace: call.namespace,
              arguments: JSON.stringify(call.input),
            },
          ]
        : []),
    ];
    const usage = {
      input_tokens: total,
      input_tokens_details: {
        cached_tokens: tokens.cacheRead,
        cache_write_tokens: tokens.cacheWrite,
      },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: total + tokens.output,
    };
    const response = { id: `resp_${id}` };
    return [
      { type: 'response.created', response },
      ...items.map((item) => ({ type: 'response.output_item.done', item })),
      { type: 'response.completed', response: { ...response, usage } },
    ]
      .map(event)
      .join('');
  },
};
