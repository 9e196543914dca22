import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type Company, CompanyContext, rememberCompany } from '../data/company';
import { useLive } from '../data/live/live';
import { useRead } from '../data/read';
import { useMayWrite } from '../data/rights';
import { t } from '../i18n';
import { useKeys } from '../ui/browser/keys';
import { Dialog } from '../ui/dialogs/dialog';
import { Loading, Skeleton } from '../ui/states';
import { BottomBar } from './bottom-bar';
import { CompanyNotice } from './company-notice';
import { NotFound } from './not-found';
import { type Overlay, OverlayContext } from './overlays';
import { SideBar } from './side-bar';

const Palette = lazy(() =>
  import('../screens/palette/palette').then(({ Palette }) => ({ default: Palette })),
);
const NewIssue = lazy(() =>
  import('../screens/issues/new-issue').then(({ NewIssue }) => ({ default: NewIssue })),
);
const KeyList = lazy(() => import('./key-list').then(({ KeyList }) => ({ default: KeyList })));

export function CompanyFrame() {
  const { company: prefix } = useParams({ from: '/$company' });
  const companies = useRead('/api/companies', {});
  return (
    <Loading of={companies} skeleton={<Skeleton />}>
      {(all) => {
        const company = all.find(({ issuePrefix }) => issuePrefix === prefix);
        return company ? <InCompany company={company} /> : <Archived prefix={prefix} />;
      }}
    </Loading>
  );
}

function Archived({ prefix }: { prefix: string }) {
  const companies = useRead('/api/companies', { query: { includeArchived: 'true' } });
  return (
    <Loading of={companies}>
      {(all) => {
        const company = all.find(({ issuePrefix }) => issuePrefix === prefix);
        return company ? <InCompany company={company} /> : <NotFound />;
      }}
    </Loading>
  );
}

const InCompany = ({ company }: { company: Company }) => (
  <CompanyContext.Provider value={company}>
    <Frame key={company.id} companyId={company.id} prefix={company.issuePrefix} />
  </CompanyContext.Provider>
);

function Frame({ companyId, prefix }: { companyId: string; prefix: string }) {
  const live = useLive(companyId);
  const mayWrite = useMayWrite();
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);
  useEffect(() => rememberCompany(prefix), [prefix]);
  useKeys([
    { keys: '$mod+k', label: 'key.palette', whileTyping: true, run: () => setOverlay('palette') },
    { keys: 'Shift+?', label: 'key.help', run: () => setOverlay('keys') },
  ]);
  useKeys(
    mayWrite ? [{ keys: 'c', label: 'key.newIssue', run: () => setOverlay('new-issue') }] : [],
  );
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <SideBar
        live={live}
        onSearch={() => setOverlay('palette')}
        onNewIssue={() => setOverlay('new-issue')}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {live === 'offline' && (
          <p role="status" className="bg-warn-soft px-4 py-1.5 text-center text-sm text-warn">
            {t('frame.offline')}
          </p>
        )}
        <CompanyNotice />
        <OverlayContext.Provider value={setOverlay}>
          <Suspense fallback={<Skeleton />}>
            <Outlet />
          </Suspense>
        </OverlayContext.Provider>
      </div>
      <BottomBar
        onSearch={() => setOverlay('palette')}
        onNewIssue={() => setOverlay('new-issue')}
      />
      <Suspense fallback={<Opening onClose={close} />}>
        {overlay === 'palette' && <Palette onClose={close} onOpen={setOverlay} />}
        {overlay === 'new-issue' && <NewIssue onClose={close} />}
        {overlay === 'keys' && <KeyList onClose={close} />}
      </Suspense>
    </div>
  );
}

const Opening = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t('state.loading')} onClose={onClose}>
    <Skeleton rows={3} />
  </Dialog>
);
