import { Link } from '@tanstack/react-router';
import { CircleDot, Inbox, Menu as MenuIcon, Play, Plus } from 'lucide-react';
import { useCompany } from '../data/company';
import { useRead } from '../data/read';
import { useMayWrite } from '../data/rights';
import { t } from '../i18n';
import { Menu } from '../ui/choices/menu';
import { PLACES } from './navigation';
import { Waiting } from './side-bar';

const CELL =
  'relative flex min-h-13 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted data-[status=active]:font-medium data-[status=active]:text-text';

export function BottomBar({
  onSearch,
  onNewIssue,
}: {
  onSearch: () => void;
  onNewIssue: () => void;
}) {
  const { id, issuePrefix } = useCompany();
  const mayWrite = useMayWrite();
  const params = { company: issuePrefix };
  const counts = useRead('/api/companies/{companyId}/inbox/counts', { path: { companyId: id } });
  return (
    <nav
      aria-label={t('frame.navigation')}
      className="flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <Link to="/$company" params={params} activeOptions={{ exact: true }} className={CELL}>
        <Inbox size={18} aria-hidden />
        {t('nav.needsYou')}
        <span className="absolute top-1 left-1/2 ml-2">
          <Waiting total={counts.data?.total} blocking={counts.data?.bySeverity.blocking} />
        </span>
      </Link>
      <Link to="/$company/issues" params={params} className={CELL}>
        <CircleDot size={18} aria-hidden />
        {t('nav.issues')}
      </Link>
      {mayWrite && (
        <button type="button" onClick={onNewIssue} className={CELL}>
          <Plus size={18} aria-hidden />
          {t('nav.new')}
        </button>
      )}
      <Link to="/$company/runs" params={params} className={CELL}>
        <Play size={18} aria-hidden />
        {t('nav.runs')}
      </Link>
      <Menu
        label={t('nav.more')}
        align="end"
        className={CELL}
        trigger={
          <>
            <MenuIcon size={18} aria-hidden />
            {t('nav.more')}
          </>
        }
      >
        {(close) => (
          <div className="grid grid-cols-2">
            <button
              type="button"
              className="flex min-h-10 items-center gap-2 rounded px-2 text-left hover:bg-hover"
              onClick={() => {
                close();
                onSearch();
              }}
            >
              {t('frame.search')}
            </button>
            {PLACES.flatMap(({ places }) => places).map(({ to, label, icon: Icon }) => (
              <Link
                key={to}
                to={to}
                params={params as never}
                onClick={close}
                className="flex min-h-10 items-center gap-2 rounded px-2 hover:bg-hover"
              >
                <Icon size={16} aria-hidden className="text-muted" />
                {t(label)}
              </Link>
            ))}
            <Link
              to="/account"
              onClick={close}
              className="flex min-h-10 items-center gap-2 rounded px-2 hover:bg-hover"
            >
              {t('frame.account')}
            </Link>
          </div>
        )}
      </Menu>
    </nav>
  );
}
