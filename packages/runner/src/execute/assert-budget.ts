import { Refusal } from '../gateway/exchange/refusal';
import type { Bookkeeping } from '../gateway/usage/provider-meter';
import type { HeldRun } from '../held-runs';
import { Refused } from '../protocol/request';
import { retryUntilAccepted } from '../protocol/retry-until-accepted';
import type { RunProtocol } from '../protocol/run-protocol';

const SPENT = {
  agent_budget: "the agent's monthly budget is spent",
  company_budget: "the company's monthly budget is spent",
} as const;

/**
 * Allows a call of a provider if all reported usage is stored, the budgets have room, and, if there
 * is a budget, the model has a price. Waits while the server is unreachable, because only the
 * server can compute the spend.
 */
export function assertBudget(
  { claim, isLost }: Pick<HeldRun, 'claim' | 'isLost'>,
  {
    protocol,
    stored,
    hasPrice,
    logLine,
  }: {
    protocol: Pick<RunProtocol, 'readBudget'>;
    stored(): Promise<void>;
    hasPrice(model: string): boolean;
    logLine(line: string): void;
  },
): Bookkeeping['assertBudget'] {
  const logged = new Set<string>();
  const refuse = (code: string, text: string): never => {
    if (!logged.has(code)) logLine(`[usage] ${text}\n`);
    logged.add(code);
    throw new Refusal(402, text, null, inProvidersForm(code, text));
  };
  return async (requested) => {
    await stored();
    const budget = await retryUntilAccepted(() => protocol.readBudget(claim), isLost).catch(
      (error: unknown) => {
        const isRefused = error instanceof Refused && error.code !== 'stale_ticket';
        const reason = isRefused
          ? `the budget cannot be read: ${error.message}`
          : 'the run has ended';
        throw new Refusal(503, reason);
      },
    );
    if (budget.spent) {
      const until = 'provider calls are refused until the budget is raised or the month ends';
      refuse(budget.spent, `${SPENT[budget.spent]}: ${until}`);
    }
    if (!requested || !budget.limited || (requested.model !== null && hasPrice(requested.model)))
      return;
    const model = JSON.stringify(requested.model ?? '');
    refuse(
      'unpriced_model',
      `the model ${model} has no price, so a budget cannot limit it: add it to the runner’s MODEL_PRICES (0 if it is free), or set the budgets of the agent and the company to 0`,
    );
  };
}

/** Anthropic's format of errors, with the fields that OpenAI's clients read. */
const inProvidersForm = (code: string, message: string) => ({
  type: 'error',
  error: { type: 'billing_error', code, message, param: null },
});
