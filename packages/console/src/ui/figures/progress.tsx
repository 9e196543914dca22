import { formatPercent } from '../../i18n/formats';
import { classNames } from '../class-names';

const TONES = {
  accent: 'bg-accent-fill',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad-fill',
} as const;

export function Progress({
  done,
  total,
  label,
  tone = 'accent',
  isFull,
}: {
  done: number;
  total: number;
  label?: string;
  tone?: keyof typeof TONES;
  isFull?: boolean;
}) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <span className="flex w-full items-center gap-2 text-xs text-muted">
      <span
        role="progressbar"
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={label ?? formatPercent(share)}
        className="h-1.5 min-w-8 flex-1 overflow-hidden rounded-full bg-line"
      >
        <span
          className={classNames('block h-full rounded-full', TONES[tone])}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      {label && (
        <span className={classNames('whitespace-nowrap', isFull && 'min-w-16')}>{label}</span>
      )}
    </span>
  );
}
