interface Worker {
  status: string;
  pauseReason: string | null;
  budgetMonthlyCents: number;
  spentMonthlyCents: number;
  wakeOnAssignment: boolean;
}

interface Employer {
  status: string;
  budgetMonthlyCents: number;
  spentMonthlyCents: number;
}

export function whyNotWoken(agent: Worker, company: Employer): string | null {
  if (!agent.wakeOnAssignment) return 'not_on_assignment';
  if (company.status !== 'active') return `company_${company.status}`;
  const { status, pauseReason } = agent;
  if (status === 'pending_approval' || status === 'terminated') return `agent_${status}`;
  if (status === 'paused' && pauseReason !== 'budget') return `agent_paused_${pauseReason}`;
  if (isSpent(agent)) return 'agent_budget';
  return isSpent(company) ? 'company_budget' : null;
}

const isSpent = ({ budgetMonthlyCents, spentMonthlyCents }: Omit<Employer, 'status'>) =>
  budgetMonthlyCents > 0 && spentMonthlyCents >= budgetMonthlyCents;
