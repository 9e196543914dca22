import { Link } from '@tanstack/react-router';
import { Network, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCompany } from '../../data/company';
import { byName, useListedAgents } from '../../data/directory';
import { t } from '../../i18n';
import { formatPercent } from '../../i18n/formats';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Button, IconButton } from '../../ui/button';
import { Input } from '../../ui/field';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import type { ListedAgent } from '../agents/agent-reason';
import { treeOf } from './layout';
import { OrgChart } from './org-chart';
import { OrgTree } from './org-tree';

export function OrgScreen() {
  const isNarrow = useIsNarrow();
  const [zoom, setZoom] = useState<number>();
  const [wanted, setWanted] = useState('');
  const agents = useListedAgents();
  const shown = zoom ?? 1;
  return (
    <Page
      title={t('nav.org')}
      actions={
        <>
          <FindAgent agents={agents.data ?? []} value={wanted} onChange={setWanted} />
          {!isNarrow && (
            <>
              <Button onClick={() => setZoom(undefined)}>{t('org.fit')}</Button>
              <IconButton
                icon={ZoomOut}
                label={t('org.zoomOut')}
                disabled={shown <= LEAST}
                onClick={() => setZoom(shown - STEP)}
              />
              <Button tone="quiet" onClick={() => setZoom(1)} title={t('org.zoomReset')}>
                {formatPercent(shown)}
              </Button>
              <IconButton
                icon={ZoomIn}
                label={t('org.zoomIn')}
                disabled={shown >= MOST}
                onClick={() => setZoom(shown + STEP)}
              />
            </>
          )}
        </>
      }
    >
      <Loading of={agents}>
        {(all) => (
          <Chart agents={all} zoom={zoom} onZoom={setZoom} isNarrow={isNarrow} wanted={wanted} />
        )}
      </Loading>
    </Page>
  );
}

const LEAST = 0.3;
const MOST = 1.6;
const STEP = 0.1;

interface ChartProps {
  agents: readonly ListedAgent[];
  zoom: number | undefined;
  wanted: string;
  onZoom: (zoom: number) => void;
  isNarrow: boolean;
}

function Chart({ agents, zoom, wanted, onZoom, isNarrow }: ChartProps) {
  const { issuePrefix: company } = useCompany();
  const top = useMemo(
    () => treeOf(byName(agents).filter(({ status }) => status !== 'terminated')),
    [agents],
  );
  if (top.length === 0) {
    return (
      <Empty
        icon={Network}
        title={t('agents.empty')}
        action={
          <Link to="/$company/agents" params={{ company }} className="text-accent hover:underline">
            {t('agents.new')}
          </Link>
        }
      >
        {t('agents.emptyText')}
      </Empty>
    );
  }
  if (isNarrow) return <OrgTree top={top} />;
  const bounded = (next: number) =>
    onZoom(Math.round(Math.min(MOST, Math.max(LEAST, next)) * 100) / 100);
  return <OrgChart top={top} zoom={zoom} wanted={wanted} onZoom={bounded} />;
}

interface FindProps {
  agents: readonly ListedAgent[];
  value: string;
  onChange: (name: string) => void;
}

const FindAgent = ({ agents, value, onChange }: FindProps) => (
  <>
    <Input
      type="search"
      list="agents-of-chart"
      aria-label={t('agents.find')}
      placeholder={t('agents.find')}
      className="w-48"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
    <datalist id="agents-of-chart">
      {agents.map(({ id, name }) => (
        <option key={id} value={name} />
      ))}
    </datalist>
  </>
);
