import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus, Search } from 'lucide-react';
import { useEffect } from 'react';
import { useCompany, useCompanyChoice } from '../data/company';
import type { StreamState } from '../data/live/stream';
import { useRead } from '../data/read';
import { useMayWrite } from '../data/rights';
import { t } from '../i18n';
import { shownKeys, useKeys } from '../ui/browser/keys';
import { setTitleCount } from '../ui/browser/title-count';
import { Button, Kbd } from '../ui/button';
import { Menu, MenuItem } from '../ui/choices/menu';
import { classNames } from '../ui/class-names';
import { Avatar } from '../ui/marks';
import { PLACES, type Place } from './navigation';

interface SideBarProps {
  live: StreamState;
  onSearch: () => void;
  onNewIssue: () => void;
}

export function SideBar({ live, onSearch, onNewIssue }: SideBarProps) {
  const navigate = useNavigate();
  const { issuePrefix } = useCompany();
  const mayWrite = useMayWrite();
  useKeys(
    PLACES.flatMap(({ places }) => places)
      .filter((place): place is Place & { letter: string } => place.letter !== undefined)
      .map(({ to, label, letter }) => ({
        keys: `g ${letter}`,
        label,
        run: () => void navigate({ to, params: { company: issuePrefix } } as never),
      })),
  );
  return (
    <aside className="flex w-56 shrink-0 flex-col gap-3 overflow-y-auto border-r border-line bg-page px-2 py-2.5 max-md:hidden">
      <CompanySwitcher />
      <div className="flex gap-1.5">
        <button
          type="button"
          onClick={onSearch}
          className="flex min-h-7 flex-1 items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-sm text-muted hover:bg-hover"
        >
          <Search size={14} aria-hidden />
          <span className="flex-1 text-left">{t('frame.search')}</span>
          <Kbd>{shownKeys('$mod+k')}</Kbd>
        </button>
        {mayWrite && (
          <Button
            icon={Plus}
            onClick={onNewIssue}
            title={`${t('key.newIssue')} (c)`}
            aria-label={t('key.newIssue')}
          />
        )}
      </div>
      <Navigation />
      <span className="flex-1" />
      <Footer live={live} />
    </aside>
  );
}

function Navigation() {
  const company = useCompany();
  const counts = useRead('/api/companies/{companyId}/inbox/counts', {
    path: { companyId: company.id },
  });
  const total = counts.data?.total ?? 0;
  useEffect(() => {
    setTitleCount(total);
    return () => setTitleCount(0);
  }, [total]);
  return (
    <nav aria-label={t('frame.navigation')} className="flex flex-col gap-3">
      {PLACES.map(({ heading, places }) => (
        <div key={heading ?? 'first'}>
          {heading && <p className="px-2 pb-1 text-xs font-medium text-faint">{t(heading)}</p>}
          {places.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              params={{ company: company.issuePrefix } as never}
              activeOptions={{ exact: to === '/$company', includeSearch: false }}
              className="flex min-h-7 items-center gap-2 rounded-md px-2 text-base text-muted hover:bg-hover hover:text-text data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-text"
            >
              <Icon size={15} aria-hidden />
              <span className="flex-1">{t(label)}</span>
              {to === '/$company' && (
                <Waiting total={counts.data?.total} blocking={counts.data?.bySeverity.blocking} />
              )}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

export function Waiting({ total = 0, blocking = 0 }: { total?: number; blocking?: number }) {
  if (total === 0) return null;
  return (
    <span
      title={t('frame.waiting', { total, blocking })}
      className={classNames(
        'rounded-full px-1.5 text-xs font-semibold',
        blocking > 0 ? 'bg-bad-fill text-on-accent' : 'bg-hover text-muted',
      )}
    >
      {total > 99 ? '99+' : total}
    </span>
  );
}

function CompanySwitcher() {
  const company = useCompany();
  const navigate = useNavigate();
  return (
    <Menu
      label={`${t('frame.switchCompany')}: ${company.name}`}
      className="flex min-h-9 w-full items-center gap-2 rounded-md px-1.5 text-left hover:bg-hover"
      trigger={
        <>
          <Avatar name={company.name} size={24} />
          <span className="min-w-0 flex-1 truncate font-semibold">{company.name}</span>
          <ChevronsUpDown size={14} className="text-faint" aria-hidden />
        </>
      }
    >
      {(close) => (
        <>
          <Companies close={close} />
          <MenuItem
            icon={Plus}
            onClick={() => {
              close();
              void navigate({ to: '/start' });
            }}
          >
            {t('frame.newCompany')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function Companies({ close }: { close: () => void }) {
  const company = useCompany();
  const navigate = useNavigate();
  const companies = useCompanyChoice();
  return companies.data?.map(({ id, name, issuePrefix }) => (
    <MenuItem
      key={id}
      isChosen={id === company.id}
      hint={issuePrefix}
      onClick={() => {
        close();
        void navigate({ to: '/$company', params: { company: issuePrefix } });
      }}
    >
      <Avatar name={name} />
      <span className="truncate">{name}</span>
    </MenuItem>
  ));
}

function Footer({ live }: { live: StreamState }) {
  const session = useRead('/api/auth/session', {});
  const name = session.data?.user?.name;
  return (
    <div className="flex flex-col gap-1.5">
      <p
        role="status"
        className={classNames(
          'flex items-center gap-1.5 px-2 text-xs',
          live === 'offline' ? 'text-warn' : 'text-faint',
        )}
      >
        <span
          aria-hidden
          className={classNames('size-1.5 rounded-full', live === 'live' ? 'bg-good' : 'bg-warn')}
        />
        {t(live === 'live' ? 'frame.live' : 'frame.connecting')}
      </p>
      <Link
        to="/account"
        className="flex min-h-8 items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-text"
      >
        <Avatar name={name ?? '?'} isPerson />
        <span className="truncate">{name ?? t('frame.account')}</span>
      </Link>
    </div>
  );
}
