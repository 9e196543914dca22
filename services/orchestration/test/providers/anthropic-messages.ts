import { event, type ProviderFormat } from './provider-script';

const SHELLS = /^bash$/i;

const namesIn = ({ tools }: Record<string, unknown>) =>
  ((tools ?? []) as { name: string }[]).map(({ name }) => name);

export const ANTHROPIC_MESSAGES: ProviderFormat = {
  paths: /^\/v1\/messages(\?|$)/,
  shellCall: (body, command) => {
    const name = namesIn(body).find((one) => SHELLS.test(one));
    return name === undefined ? null : { name, input: { command, description: 'scripted' } };
  },
  serverCall: (body, tool, input) => {
    const name = namesIn(body).find(
      (one) => one.endsWith(`switchyard_${tool}`) || one.endsWith(`switchyard__${tool}`),
    );
    return name === undefined ? null : { name, input };
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
              start: { type: 'tool_use', id: `toolu_${id}`, name: call.name, input: {} },
              delta: {
                type: 'input_json_delta',
                partial_json: JSON.stringify(call.input),
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
