import { t, word } from '../../i18n';
import { formatDate } from '../../i18n/formats';
import { classNames } from '../../ui/class-names';
import type { Overview } from './overview';

type Day = Overview['days'][number];

const PARTS = [
  { statuses: ['succeeded'], color: 'bg-good' },
  { statuses: ['running', 'queued'], color: 'bg-live' },
  { statuses: ['cancelled'], color: 'bg-line-strong' },
  { statuses: ['failed', 'timed_out'], color: 'bg-bad-fill' },
] as const;

export function RunDays({ days }: { days: Day[] }) {
  const most = Math.max(1, ...days.map(({ total }) => total));
  return (
    <figure>
      <div className="flex h-28 items-end gap-1">
        {days.map((day) => (
          <div
            key={day.date}
            title={`${formatDate(day.date)}: ${inWords(day)}`}
            className="flex h-full flex-1 flex-col-reverse justify-start gap-px overflow-hidden rounded-sm bg-sunken"
          >
            {PARTS.map(({ statuses, color }) => {
              const count = statuses.reduce((sum, status) => sum + (day.byStatus[status] ?? 0), 0);
              return (
                count > 0 && (
                  <span
                    key={color}
                    className={classNames('min-h-0.5', color)}
                    style={{ height: `${(count / most) * 100}%` }}
                  />
                )
              );
            })}
          </div>
        ))}
      </div>
      <figcaption className="mt-1 flex justify-between text-xs text-muted">
        <span>{days[0] && formatDate(days[0].date)}</span>
        <span>
          {t('overview.runs', { count: days.reduce((sum, { total }) => sum + total, 0) })}
        </span>
        <span>{t('overview.today')}</span>
      </figcaption>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        {PARTS.map(({ statuses: [status], color }) => (
          <li key={status} className="flex items-center gap-1.5">
            <span aria-hidden className={classNames('size-2 rounded-sm', color)} />
            {word('runStatus', status)}
          </li>
        ))}
      </ul>
      <table className="sr-only">
        <caption>{t('overview.days')}</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{formatDate(day.date)}</th>
              <td>{inWords(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const inWords = ({ byStatus, total }: Day) =>
  total === 0
    ? t('overview.runs', { count: 0 })
    : Object.entries(byStatus)
        .filter(([, count]) => count > 0)
        .map(([status, count]) => `${count} ${word('runStatus', status)}`)
        .join(', ');
