import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useIsOwner } from '../../data/rights';
import { t } from '../../i18n';
import { formatCents, formatDate, formatMonth } from '../../i18n/formats';
import { deferred } from '../../ui/deferred';
import { options, Select } from '../../ui/field';
import { Progress } from '../../ui/figures/progress';
import { Figure, Page, Panel, Section, Tabs } from '../../ui/page';
import { Loading, Notice, Skeleton } from '../../ui/states';
import { COST_TABS, type CostTab, CostTable } from './cost-table';

const SpendDays = deferred(
  () => import('./spend-days').then(({ SpendDays }) => SpendDays),
  () => <div className="h-44" />,
);

export function CostsScreen() {
  const { id: companyId, issuePrefix } = useCompany();
  const isOwner = useIsOwner();
  const search = useSearch({ from: '/$company' });
  const tab = (COST_TABS.find((each) => each === search.by) ?? 'agent') as CostTab;
  const month = search.month ?? new Date().toISOString().slice(0, 7);
  const query = { month: search.month };
  const params = { path: { companyId }, query };
  const summary = useRead('/api/companies/{companyId}/costs/summary', params, {
    keepPrevious: true,
  });
  const days = useRead('/api/companies/{companyId}/costs/by-day', params, { keepPrevious: true });
  return (
    <Page title={t('nav.costs')} actions={<MonthChoice month={month} />}>
      <div className="mx-auto max-w-5xl px-4 py-5">
        <Loading of={summary} skeleton={<Skeleton rows={2} />}>
          {(data) => (
            <Section title={formatMonth(data.month ?? month)}>
              <Panel className="grid grid-cols-2 gap-4 p-4 md:grid-cols-3">
                <Figure label={t('costs.spent')}>{formatCents(data.spendCents)}</Figure>
                <Figure label={t('costs.budget')}>
                  {data.unlimited ? t('money.unlimited') : formatCents(data.budgetCents)}
                </Figure>
                <Figure label={t('costs.rate')}>{formatCents(data.burnRateCentsPerDay)}</Figure>
                {!data.unlimited && (
                  <div className="col-span-full">
                    <Progress
                      done={data.spendCents}
                      total={data.budgetCents}
                      tone={
                        data.alert === 'hard' ? 'bad' : data.alert === 'soft' ? 'warn' : 'accent'
                      }
                      label={
                        data.endsOn
                          ? t('overview.endsOn', { day: formatDate(data.endsOn) })
                          : undefined
                      }
                    />
                  </div>
                )}
              </Panel>
              {data.alert !== 'none' && (
                <div className="mt-3">
                  <Notice
                    tone={data.alert === 'hard' ? 'bad' : 'warn'}
                    action={
                      isOwner && (
                        <Link
                          to="/$company/settings"
                          params={{ company: issuePrefix }}
                          className="inline-flex min-h-6 items-center font-medium underline hover:no-underline"
                        >
                          {t('costs.raise')}
                        </Link>
                      )
                    }
                  >
                    {t(data.alert === 'hard' ? 'costs.hard' : 'costs.soft')}
                  </Notice>
                </div>
              )}
              {data.disputedCents > 0 && (
                <div className="mt-3">
                  <Notice tone="warn">
                    {t('costs.disputed', { amount: formatCents(data.disputedCents) })}
                  </Notice>
                </div>
              )}
              {data.unpricedEvents > 0 && (
                <div className="mt-3">
                  <Notice tone="warn">{t('costs.unpriced', { count: data.unpricedEvents })}</Notice>
                </div>
              )}
            </Section>
          )}
        </Loading>
        <Section title={t('costs.byDay')}>
          <Loading of={days} skeleton={<div className="h-44" />}>
            {(rows) => <SpendDays days={rows} />}
          </Loading>
        </Section>
        <By tab={tab} month={search.month} />
      </div>
    </Page>
  );
}

function By({ tab, month }: { tab: CostTab; month: string | undefined }) {
  const { issuePrefix: company } = useCompany();
  const search = useSearch({ from: '/$company' });
  return (
    <section>
      <div className="mb-2">
        <Tabs
          tabs={COST_TABS.map((each) => ({
            label: t(`costs.by.${each}`),
            link: {
              to: '/$company/costs',
              params: { company },
              search: { ...search, by: each === 'agent' ? undefined : each },
            },
          }))}
        />
      </div>
      <CostTable tab={tab} month={month} />
    </section>
  );
}

function MonthChoice({ month }: { month: string }) {
  const { issuePrefix: company } = useCompany();
  const navigate = useNavigate();
  const search = useSearch({ from: '/$company' });
  const now = new Date();
  const months = Array.from({ length: 12 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
  return (
    <Select
      aria-label={t('costs.month')}
      className="w-auto"
      value={month}
      onChange={({ target }) =>
        void navigate({
          to: '/$company/costs',
          params: { company },
          search: { ...search, month: target.value === months[0] ? undefined : target.value },
        })
      }
    >
      {options(months.map((each) => [each, formatMonth(each)]))}
    </Select>
  );
}
