import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { Avatar } from '../../ui/marks';
import { Empty } from '../../ui/states';
import { Elapsed } from '../../ui/time';

/** Nothing waits: what runs now, and what comes next. */
export function AllDone() {
  const company = useCompany();
  const params = { path: { companyId: company.id } };
  const running = useRead('/api/companies/{companyId}/heartbeat-runs', {
    ...params,
    query: { status: ['running'], limit: 8 },
  });
  return (
    <>
      <Empty icon={CircleCheckBig} title={t('needsYou.empty')}>
        {t(running.data?.length ? 'needsYou.emptyRunning' : 'needsYou.emptyIdle')}
      </Empty>
      <ul className="mx-auto max-w-xl px-4">
        {running.data?.map((run) => (
          <li key={run.id}>
            <Link
              to="/$company/runs/$run"
              params={{ company: company.issuePrefix, run: run.id }}
              className="flex min-h-10 items-center gap-2.5 rounded-md px-2 hover:bg-hover"
            >
              <Avatar name={run.agentName} />
              <span className="font-medium">{run.agentName}</span>
              <span className="min-w-0 flex-1 truncate text-muted">
                {run.issue?.title ?? run.reason}
              </span>
              {run.startedAt && <Elapsed from={run.startedAt} className="text-sm text-muted" />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
