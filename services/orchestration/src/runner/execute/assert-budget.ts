import { Refusal } from '../gateway/exchange/refusal';
import type { HeldRun } from '../held-runs';
import type { RunProtocol } from '../protocol/run-protocol';
import { untilTaken } from '../protocol/until-taken';

const SPENT = {
  agent_budget: "the agent's monthly budget is spent",
  company_budget: "the company's monthly budget is spent",
} as const;

/**
 * Makes the check before each call of a provider: everything that was read is stored, and the budgets have room. While the
 * server is away the call waits, because only the server knows what is spent.
 */
export function assertBudget(
  { claim, isLost }: Pick<HeldRun, 'claim' | 'isLost'>,
  {
    protocol,
    stored,
    say,
  }: {
    protocol: Pick<RunProtocol, 'readBudget'>;
    stored(): Promise<void>;
    say(line: string): void;
  },
): () => Promise<void> {
  let hasSaid = false;
  return async () => {
    await stored();
    const { spent } = await untilTaken(() => protocol.readBudget(claim), isLost).catch(() => {
      throw new Refusal(503, 'the run is over');
    });
    if (spent === null) return;
    const text = `${SPENT[spent]}: no call goes to a provider until it is raised or the month ends`;
    if (!hasSaid) say(`[usage] ${text}\n`);
    hasSaid = true;
    throw new Refusal(402, text, null, inProvidersForm(spent, text));
  };
}

/** Anthropic's form of an error, with the fields that OpenAI's clients read. */
const inProvidersForm = (code: keyof typeof SPENT, message: string) => ({
  type: 'error',
  error: { type: 'billing_error', code, message, param: null },
});
