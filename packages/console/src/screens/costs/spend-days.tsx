import { useMemo } from 'react';
import uPlot from 'uplot';
import type { Schemas } from '../../data/api';
import { t } from '../../i18n';
import { formatAxisCents, formatCents, formatDate, formatShortDate } from '../../i18n/formats';
import { Chart } from '../../ui/figures/chart';

export function SpendDays({ days }: { days: Schemas['DayCost'][] }) {
  const data = useMemo<uPlot.AlignedData>(() => {
    const rows = [...days].reverse();
    return [
      rows.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1000),
      rows.map(({ costCents }) => costCents),
    ];
  }, [days]);
  return (
    <figure>
      <Chart data={data} options={optionsOf} height={176} label={t('costs.byDay')} />
      <table className="sr-only">
        <caption>{t('costs.byDay')}</caption>
        <tbody>
          {days.map(({ day, costCents }) => (
            <tr key={day}>
              <th scope="row">{formatDate(day)}</th>
              <td>{formatCents(costCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const DAY = 86_400;

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
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (_plot, first, last) => [first - DAY / 2, last + DAY / 2] },
      y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, 100)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 56,
        incrs: [1, 2, 7, 14].map((days) => days * DAY),
        values: (_plot, times) => times.map((seconds) => formatShortDate(seconds * 1000)),
      },
      {
        ...axis,
        size: 64,
        values: (_plot, values) => values.map((cents) => formatAxisCents(cents)),
      },
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
