import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { AGENT_TOOLS } from './agent/agent-tools';
import { BOARD_READS, BOARD_TOOLS } from './board/board-tools';

const MAX_TOKENS = 1_500;

describe('the tools at /mcp', () => {
  const sets = { AGENT_TOOLS, BOARD_TOOLS };

  it('consist of nine tools for an agent and nine for the board, in a fixed order', () => {
    const names = Object.values(sets).map(({ definitions }) => definitions.map(({ name }) => name));
    expect(names).toEqual([
      [
        'my_work',
        'claim',
        'read',
        'comment',
        'hand_in',
        'ask_board',
        'report_cost',
        'create_issue',
        'find',
      ],
      ['needs_me', 'decide', 'create', 'assign', 'pause_resume', 'budget', 'runs', 'fire', 'find'],
    ]);
    expect(BOARD_READS.definitions.map(({ name }) => name)).toEqual(['needs_me', 'runs', 'find']);
  });

  it.each(Object.entries(sets))(
    'have definitions of at most 1,500 tokens in %s',
    (_name, { definitions }) => {
      expect(countTokens(JSON.stringify(definitions))).toBeLessThanOrEqual(MAX_TOKENS);
    },
  );

  it('have either an output schema or readOnlyHint', () => {
    for (const { definitions } of Object.values(sets)) {
      const reads = definitions.filter(({ annotations }) => annotations?.readOnlyHint);
      expect(reads.map(({ name }) => name)).toEqual(
        definitions.filter(({ outputSchema }) => !outputSchema).map(({ name }) => name),
      );
    }
  });
});
