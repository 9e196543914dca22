import { CircleCheckBig } from 'lucide-react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { Section } from '../../ui/page';
import { Empty } from '../../ui/states';
import { Next } from '../overview/next';
import { Running } from '../overview/running';

export function AllDone() {
  const { id: companyId } = useCompany();
  const overview = useRead('/api/companies/{companyId}/overview', { path: { companyId } });
  const { data } = overview;
  return (
    <>
      <Empty icon={CircleCheckBig} tone="good" title={t('needsYou.empty')}>
        {t('needsYou.emptyText')}
      </Empty>
      {data && (
        <div className="mx-auto max-w-3xl px-4 pb-5">
          <Section title={t('overview.running')}>
            <Running overview={data} />
          </Section>
          <Next overview={data} />
        </div>
      )}
    </>
  );
}
