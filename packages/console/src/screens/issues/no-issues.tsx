import { CircleDot, FilterX } from 'lucide-react';
import { useMayWrite } from '../../data/rights';
import { useOpenOverlay } from '../../frame/overlays';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/states';
import { hasFilters } from './filters/issue-filters';
import { useIssueSearch } from './use-issue-search';

export function NoIssues() {
  const { search, clear } = useIssueSearch();
  const mayWrite = useMayWrite();
  const openOverlay = useOpenOverlay();
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
