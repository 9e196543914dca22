import { Link } from '@tanstack/react-router';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { Page, Section } from '../../ui/page';
import { Loading, Skeleton } from '../../ui/states';
import { Failures } from './failures';
import { Next } from './next';
import { RunDays } from './run-days';
import { Running } from './running';
import { Spend } from './spend';
import { Waiting } from './waiting';

export function OverviewScreen() {
  const { id: companyId, issuePrefix: company } = useCompany();
  const overview = useRead('/api/companies/{companyId}/overview', { path: { companyId } });
  return (
    <Page title={t('nav.overview')}>
      <Loading of={overview} skeleton={<Skeleton rows={8} height={64} />}>
        {(data) => (
          <div className="mx-auto grid max-w-7xl gap-x-8 px-4 py-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="min-w-0">
              <Section
                title={t('overview.running')}
                aside={
                  <Link
                    to="/$company/runs"
                    params={{ company }}
                    className="inline-flex min-h-6 items-center text-accent hover:underline"
                  >
                    {t('overview.allRuns')}
                  </Link>
                }
              >
                <Running overview={data} />
              </Section>
              <Waiting overview={data} />
              <Next overview={data} />
            </div>
            <div className="min-w-0">
              <Spend overview={data} />
              <Section title={t('overview.days')}>
                <RunDays days={data.days} />
              </Section>
              <Failures overview={data} />
            </div>
          </div>
        )}
      </Loading>
    </Page>
  );
}
