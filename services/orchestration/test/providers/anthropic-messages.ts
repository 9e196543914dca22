import { event, type ProviderFormat } from './provider-script';

const SHELLS = /^bash$/i;

/** The streaming Messages API, as far as coding agents use it. */
export const ANTHROPIC_MESSAGES: ProviderFormat = {
  paths: /^\/v1\/messages(\?|$)/,
  shellTool: (body) => {
    const tools = (body.tools ?? []) as { name: string }[];
    return tools.find(({ name }) => SHELLS.test(name))?.name ?? null;
  },
  write: ({ id, model, say, call, tokens }) => {
    const usage = {
      input_tokens: tokens.input,
      cache_creation_input_tokens: tokens.cacheWrite,
      cache_read_input_tokens: tokens.cacheRead,
      output_tokens: 1,
    };
    const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], usage };
    const blocks = [
      ...(say === undefined
        ? []
        : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: say } }]),
      ...(call
        ? [
            {
              start: { type: 'tool_use', id: `toolu_${id}`, name: call.tool, input: {} },
              delta: {
                type: 'input_json_delta',
                partial_json: JSON.stringify({ command: call.command, description: 'scripted' }),
              },
            },
          ]
        : []),
    ];
    return [
      { type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null } },
      ...blocks.flatMap(({ start, delta }, index) => [
        { type: 'content_block_start', index, content_block: start },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: tokens.output },
      },
      { type: 'message_stop' },
    ]
      .map(event)
      .join('');
  },
};
