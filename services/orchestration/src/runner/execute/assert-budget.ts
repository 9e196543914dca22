import { Refusal } from '../gateway/exchange/refusal';
import type { Bookkeeping } from '../gateway/usage/provider-meter';
import type { HeldRun } from '../held-runs';
import { Refused } from '../protocol/request';
import type { RunProtocol } from '../protocol/run-protocol';
import { untilTaken } from '../protocol/until-taken';

const SPENT = {
  agent_budget: "the agent's monthly budget is spent",
  company_budget: "the company's monthly budget is spent",
} as const;

/**
 * Before each provider call all reported use must be stored, the budgets must have room, and with a
 * budget the model needs a price. Waits while the server is away, because only it knows the spend.
 */
export function assertBudget(
  { claim, isLost }: Pick<HeldRun, 'claim' | 'isLost'>,
  {
    protocol,
    stored,
    hasPrice,
    say,
  }: {
    protocol: Pick<RunProtocol, 'readBudget'>;
    stored(): Promise<void>;
    hasPrice(model: string): boolean;
    say(line: string): void;
  },
): Bookkeeping['assertBudget'] {
  const said = new Set<string>();
  const refuse = (code: string, text: string): never => {
    if (!said.has(code)) say(`[usage] ${text}\n`);
    said.add(code);
    throw new Refusal(402, text, null, inProvidersForm(code, text));
  };
  return async (asked) => {
    await stored();
    const budget = await untilTaken(() => protocol.readBudget(claim), isLost).catch(
      (error: unknown) => {
        const isRefused = error instanceof Refused && error.code !== 'stale_ticket';
        const reason = isRefused
          ? `the budget cannot be read: ${error.message}`
          : 'the run is over';
        throw new Refusal(503, reason);
      },
    );
    if (budget.spent) {
      const until = 'no call goes to a provider until it is raised or the month ends';
      refuse(budget.spent, `${SPENT[budget.spent]}: ${until}`);
    }
    if (!asked || !budget.limited || (asked.model !== null && hasPrice(asked.model))) return;
    const model = JSON.stringify(asked.model ?? '');
    refuse(
      'unpriced_model',
      `the model ${model} has no price, so no budget could stop it: add it to MODEL_PRICES of the runner (0 if it costs nothing), or set the budgets of agent and company to 0`,
    );
  };
}

/** Anthropic's error format, with the fields that OpenAI's clients read. */
const inProvidersForm = (code: string, message: string) => ({
  type: 'error',
  error: { type: 'billing_error', code, message, param: null },
});
