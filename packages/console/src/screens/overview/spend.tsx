import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { t } from '../../i18n';
import { formatCents, formatDate, formatMonth } from '../../i18n/formats';
import { Progress } from '../../ui/figures/progress';
import { Figure, Panel, Section } from '../../ui/page';
import type { Overview } from './overview';

export function Spend({ overview: { spend } }: { overview: Overview }) {
  const { issuePrefix: company } = useCompany();
  const tone = spend.alert === 'hard' ? 'bad' : spend.alert === 'soft' ? 'warn' : 'accent';
  return (
    <Section
      title={t('overview.spend')}
      aside={
        <Link
          to="/$company/costs"
          params={{ company }}
          className="inline-flex min-h-6 items-center text-accent hover:underline"
        >
          {t('nav.costs')}
        </Link>
      }
    >
      <Panel className="grid grid-cols-2 gap-4 p-4">
        <Figure label={t('overview.today')}>{formatCents(spend.today.spendCents)}</Figure>
        <Figure label={formatMonth(spend.month)}>{formatCents(spend.spendCents)}</Figure>
        <div className="col-span-2 text-sm text-muted">
          {spend.unlimited ? (
            <p>
              {t('overview.unlimited')}{' '}
              <Link
                to="/$company/settings"
                params={{ company }}
                className="text-accent underline hover:no-underline"
              >
                {t('overview.setBudget')}
              </Link>
            </p>
          ) : (
            <>
              <Progress
                done={spend.spendCents}
                total={spend.budgetCents}
                tone={tone}
                label={t('overview.ofBudget', { budget: formatCents(spend.budgetCents) })}
              />
              {spend.endsOn && (
                <p className="mt-1.5">{t('overview.endsOn', { day: formatDate(spend.endsOn) })}</p>
              )}
            </>
          )}
        </div>
      </Panel>
    </Section>
  );
}
