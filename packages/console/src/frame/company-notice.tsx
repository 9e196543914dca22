import { unwrap } from '@switchyard/client';
import { Link } from '@tanstack/react-router';
import { Archive, CirclePause } from 'lucide-react';
import { api } from '../data/api';
import { useCompany } from '../data/company';
import { useIsOwner } from '../data/rights';
import { useSend } from '../data/send';
import { t } from '../i18n';
import { Button } from '../ui/button';

export function CompanyNotice() {
  const { status } = useCompany();
  if (status === 'paused') return <Paused />;
  if (status === 'archived') return <Archived />;
  return null;
}

const BAR =
  'flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-warn/40 bg-warn-soft px-4 py-1.5 text-sm text-warn';

function Paused() {
  const { id: companyId } = useCompany();
  const isOwner = useIsOwner();
  const resuming = useSend(
    () =>
      unwrap(
        api.PATCH('/api/companies/{companyId}', {
          params: { path: { companyId } },
          body: { status: 'active' },
        }),
      ),
    { optimistic: () => ({ id: companyId, changes: { status: 'active' } }) },
  );
  return (
    <section aria-label={t('companyStatus.paused')} className={BAR}>
      <CirclePause size={15} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">
        {t('settings.pausedText')} {!isOwner && t('frame.ownerResumes')}
      </span>
      {isOwner && (
        <Button isBusy={resuming.isPending} onClick={() => resuming.mutate(undefined)}>
          {t('settings.resume')}
        </Button>
      )}
    </section>
  );
}

function Archived() {
  return (
    <section aria-label={t('companyStatus.archived')} className={BAR}>
      <Archive size={15} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">{t('settings.archived')}</span>
      <Link
        to="/start"
        className="inline-flex min-h-6 items-center font-medium underline hover:no-underline"
      >
        {t('frame.newCompany')}
      </Link>
    </section>
  );
}
