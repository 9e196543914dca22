import { useMemo } from 'react';
import uPlot from 'uplot';
import type { Schemas } from '../../data/api';
import { t } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Chart } from '../../ui/figures/chart';

/** Cents by UTC day as bars. */
export function SpendDays({ days }: { days: Schemas['DayCost'][] }) {
  const data = useMemo<uPlot.AlignedData>(() => {
    const rows = [...days].reverse();
    return [
      rows.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1000),
      rows.map(({ costCents }) => costCents),
    ];
  }, [days]);
  return <Chart data={data} options={optionsOf} height={176} label={t('costs.byDay')} />;
}

function optionsOf(color: (token: string) => string): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = {
    stroke: color('muted'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(high, 100)] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 64, values: (_plot, values) => values.map((cents) => formatCents(cents)) },
    ],
    series: [
      {},
      {
        label: t('costs.spent'),
        fill: color('accent-fill'),
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.7, 40] }),
      },
    ],
  };
}
