import { Link } from '@tanstack/react-router';
import { CircleCheckBig, Rocket } from 'lucide-react';
import { useCompany } from '../../data/company';
import { useListedAgents } from '../../data/directory';
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
  const agents = useListedAgents();
  if (agents.data?.length === 0) return <FirstSteps />;
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

const STEPS = [
  ['/$company/agents', 'needsYou.step.hire'],
  ['/$company/issues', 'needsYou.step.issue'],
  ['/$company/overview', 'needsYou.step.watch'],
] as const;

function FirstSteps() {
  const { issuePrefix: company } = useCompany();
  return (
    <Empty icon={Rocket} title={t('needsYou.empty')}>
      {t('needsYou.first')}
      <ol className="mt-2 flex list-decimal flex-col gap-2 pl-5 text-left">
        {STEPS.map(([to, label]) => (
          <li key={to}>
            <Link to={to} params={{ company }} className="text-accent hover:underline">
              {t(label)}
            </Link>
          </li>
        ))}
      </ol>
    </Empty>
  );
}
