import type { Loop } from '@switchyard/async';
import { ask, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';
import { repeatWhenDue } from '../../../kernel/repeat-when-due';
import { takeSteps } from './take-steps';

export function startDeadlines(context: Context): Loop {
  return repeatWhenDue(context, {
    untilNext: async ({ db }) => (await ask(db, nextStep, {}))[0]?.ms ?? null,
    work: takeSteps,
    warning: 'deadlines could not be carried out; the next round retries',
  });
}

const nextStep = statement('next-step', {
  takes: {},
  gives: { ms: 'float?' },
  sql: () => `
    SELECT extract(epoch FROM min(next_step_at) - clock_timestamp())::float8 * 1000 AS ms
    FROM approval WHERE next_step_at IS NOT NULL AND status = 'pending'`,
});
