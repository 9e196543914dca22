import { whyNotWoken } from './wake-forecast';

const AGENT = {
  status: 'idle',
  pauseReason: null,
  budgetMonthlyCents: 0,
  spentMonthlyCents: 100,
  wakeOnAssignment: true,
};
const COMPANY = { status: 'active', budgetMonthlyCents: 0, spentMonthlyCents: 100 };
const SPENT = { budgetMonthlyCents: 100, spentMonthlyCents: 100 };

describe('whyNotWoken', () => {
  it.each([
    [{}, {}, null],
    [{ status: 'running' }, {}, null],
    [{ status: 'error' }, {}, null],
    [{ status: 'paused', pauseReason: 'budget' }, {}, null],
    [{ status: 'paused', pauseReason: 'manual' }, {}, 'agent_paused_manual'],
    [{ status: 'pending_approval' }, {}, 'agent_pending_approval'],
    [{ status: 'terminated' }, {}, 'agent_terminated'],
    [{ wakeOnAssignment: false }, {}, 'not_on_assignment'],
    [SPENT, {}, 'agent_budget'],
    [{}, SPENT, 'company_budget'],
    [{}, { status: 'paused' }, 'company_paused'],
  ])('given the agent %j and the company %j, returns %j', (agent, company, reason) => {
    expect(whyNotWoken({ ...AGENT, ...agent }, { ...COMPANY, ...company })).toBe(reason);
  });
});
