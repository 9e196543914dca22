import { CircleCheckBig, CircleDot, FilterX } from 'lucide-react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useOpenOverlay } from '../../frame/overlays';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/states';
import { filtersOf, hasFilters } from './filters/issue-filters';
import { useIssueSearch } from './use-issue-search';

export function NoIssues() {
  const { id } = useCompany();
  const { search, clear, change } = useIssueSearch();
  const mayWrite = useMayWrite();
  const openOverlay = useOpenOverlay();
  const counts = useRead('/api/companies/{companyId}/issues/counts', {
    path: { companyId: id },
    query: filtersOf(search),
  });
  if (counts.data && counts.data.total > 0) {
    return (
      <Empty
        icon={CircleCheckBig}
        title={t('issues.noneOpen')}
        action={<Button onClick={() => change({ view: 'all' })}>{t('issues.showAll')}</Button>}
      >
        {t('issues.noneOpenText', { total: counts.data.total })}
      </Empty>
    );
  }
  if (hasFilters(search)) {
    return (
      <Empty
        icon={FilterX}
        title={t('issues.noneFound')}
        action={<Button onClick={clear}>{t('issues.clearFilters')}</Button>}
      >
        {t('issues.noneFoundText')}
      </Empty>
    );
  }
  return (
    <Empty
      icon={CircleDot}
      title={t('issues.none')}
      action={
        mayWrite && (
          <Button tone="primary" shortcut="c" onClick={() => openOverlay('new-issue')}>
            {t('key.newIssue')}
          </Button>
        )
      }
    >
      {t('issues.noneText')}
    </Empty>
  );
}
