import { Plus } from 'lucide-react';
import { useCompany } from '../../data/company';
import { isEnded } from '../../data/issue-moves';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useOpenOverlay } from '../../frame/overlays';
import { t } from '../../i18n';
import { formatCount } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { Page } from '../../ui/page';
import { Board } from './board/board';
import { useFirstPages } from './board/use-board';
import { FilterBar } from './filters/filter-bar';
import { filtersOf, isBoard } from './filters/issue-filters';
import { IssueList } from './list/issue-list';
import { useIssueSearch } from './use-issue-search';

export function IssuesScreen() {
  const { search } = useIssueSearch();
  const mayWrite = useMayWrite();
  const openOverlay = useOpenOverlay();
  return (
    <Page
      title={t('nav.issues')}
      aside={<Counts />}
      width={isBoard(search) ? 'fill' : 'full'}
      toolbar={<FilterBar />}
      actions={
        mayWrite && (
          <Button tone="primary" icon={Plus} shortcut="c" onClick={() => openOverlay('new-issue')}>
            {t('key.newIssue')}
          </Button>
        )
      }
    >
      {isBoard(search) ? <Board /> : <IssueList />}
    </Page>
  );
}

function Counts() {
  const { search } = useIssueSearch();
  return isBoard(search) ? <CountsOfBoard /> : <CountsOfList />;
}

function CountsOfBoard() {
  const { data } = useFirstPages();
  if (!data) return null;
  const sum = (columns: typeof data.columns) =>
    columns.reduce((total, column) => total + column.total, 0);
  const open = data.columns.filter(({ status }) => !isEnded(status));
  return inWords({ total: sum(data.columns), open: sum(open) });
}

function CountsOfList() {
  const { id } = useCompany();
  const { search } = useIssueSearch();
  const counts = useRead(
    '/api/companies/{companyId}/issues/counts',
    { path: { companyId: id }, query: filtersOf(search) },
    { keepPrevious: true },
  );
  return counts.data ? inWords(counts.data) : null;
}

const inWords = ({ total, open }: { total: number; open: number }) =>
  t('issues.counts', { total: formatCount(total), open: formatCount(open) });
