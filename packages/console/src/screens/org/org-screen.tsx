import { Network, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useListedAgents } from '../../data/directory';
import { t } from '../../i18n';
import { formatPercent } from '../../i18n/formats';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Button, IconButton } from '../../ui/button';
import { Page } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import type { ListedAgent } from '../agents/agent-reason';
import { treeOf } from './layout';
import { OrgChart } from './org-chart';
import { OrgTree } from './org-tree';

export function OrgScreen() {
  const isNarrow = useIsNarrow();
  const [zoom, setZoom] = useState(1);
  const agents = useListedAgents();
  return (
    <Page
      title={t('nav.org')}
      actions={
        !isNarrow && (
          <>
            <IconButton
              icon={ZoomOut}
              label={t('org.zoomOut')}
              disabled={zoom <= LEAST}
              onClick={() => setZoom(zoom - STEP)}
            />
            <Button tone="quiet" onClick={() => setZoom(1)} title={t('org.zoomReset')}>
              {formatPercent(zoom)}
            </Button>
            <IconButton
              icon={ZoomIn}
              label={t('org.zoomIn')}
              disabled={zoom >= MOST}
              onClick={() => setZoom(zoom + STEP)}
            />
          </>
        )
      }
    >
      <Loading of={agents}>
        {(all) => <Chart agents={all} zoom={zoom} onZoom={setZoom} isNarrow={isNarrow} />}
      </Loading>
    </Page>
  );
}

const LEAST = 0.3;
const MOST = 1.6;
const STEP = 0.1;

interface ChartProps {
  agents: readonly ListedAgent[];
  zoom: number;
  onZoom: (zoom: number) => void;
  isNarrow: boolean;
}

function Chart({ agents, zoom, onZoom, isNarrow }: ChartProps) {
  const top = useMemo(
    () => treeOf(agents.filter(({ status }) => status !== 'terminated')),
    [agents],
  );
  if (top.length === 0) {
    return (
      <Empty icon={Network} title={t('agents.empty')}>
        {t('agents.emptyText')}
      </Empty>
    );
  }
  if (isNarrow) return <OrgTree top={top} />;
  const bounded = (next: number) =>
    onZoom(Math.round(Math.min(MOST, Math.max(LEAST, next)) * 100) / 100);
  return <OrgChart top={top} zoom={zoom} onZoom={bounded} />;
}
