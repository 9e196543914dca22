import { t } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Progress } from '../../ui/figures/progress';

interface Spend {
  spentMonthlyCents: number;
  budgetMonthlyCents: number;
}

export function AgentSpend({ spentMonthlyCents: spent, budgetMonthlyCents: budget }: Spend) {
  if (budget === 0) {
    return (
      <span
        className="text-xs text-muted"
        title={t('agents.spendUnlimited', { spent: formatCents(spent) })}
      >
        {formatCents(spent)}
      </span>
    );
  }
  const share = spent / budget;
  const label = t('agents.spend', { spent: formatCents(spent), budget: formatCents(budget) });
  return (
    <span title={label} className="block">
      <span className="block truncate text-xs text-muted">
        {formatCents(spent)} / {formatCents(budget)}
      </span>
      <Progress
        done={spent}
        total={budget}
        tone={share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'accent'}
      />
    </span>
  );
}
