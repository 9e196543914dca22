import { Inbox, type LucideIcon, PlugZap, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { isMissing, isOffline, sentenceOf } from '../data/api';
import { t } from '../i18n';
import { Button } from './button';
import { classNames } from './class-names';

export function Skeleton({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <div role="status" aria-label={t('state.loading')} className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal rows in an order that never changes
        <div key={row} className="flex items-center gap-3 px-4" style={{ height }}>
          <span className="size-4 rounded-full bg-hover" />
          <span className="h-3 rounded bg-hover" style={{ width: `${60 - ((row * 17) % 35)}%` }} />
        </div>
      ))}
    </div>
  );
}

export function Empty({
  icon: Icon = Inbox,
  tone,
  isPage,
  title,
  children,
  action,
}: {
  icon?: LucideIcon;
  tone?: 'good';
  isPage?: boolean;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-14 text-center">
      <Icon
        size={28}
        strokeWidth={1.25}
        className={tone === 'good' ? 'text-good' : 'text-faint'}
        aria-hidden
      />
      <Title className="text-base font-medium">{title}</Title>
      {children && <div className="text-sm text-muted">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const [Icon, title] = isOffline(error)
    ? [PlugZap, t('state.offline')]
    : [TriangleAlert, isMissing(error) ? t('state.missing') : t('state.failed')];
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-14 text-center"
    >
      <Icon size={28} strokeWidth={1.25} className="text-bad" aria-hidden />
      <p className="text-base font-medium">{title}</p>
      <p className="text-sm text-muted">
        {isOffline(error) ? t('state.offlineText') : sentenceOf(error)}
      </p>
      {onRetry && <Button onClick={onRetry}>{t('action.tryAgain')}</Button>}
    </div>
  );
}

export interface Loaded<Data> {
  data: Data | undefined;
  error: Error | null;
  failureReason?: Error | null;
  refetch: () => unknown;
}

export function Loading<Data>({
  of: { data, error, failureReason, refetch },
  skeleton,
  children,
}: {
  of: Loaded<Data>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  const failure = error ?? failureReason;
  if (failure) return <Failure error={failure} onRetry={() => void refetch()} />;
  return skeleton ?? <Skeleton />;
}

const NOTICE_TONES = {
  good: 'border-good/40 bg-good-soft text-good',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  bad: 'border-bad/40 bg-bad-soft text-bad',
  live: 'border-live/40 bg-live-soft text-live',
} as const;

export function Notice({
  tone = 'warn',
  children,
  action,
}: {
  tone?: keyof typeof NOTICE_TONES;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-between gap-2 rounded-md border px-3 py-2 text-sm',
        NOTICE_TONES[tone],
      )}
    >
      <span>{children}</span>
      {action}
    </div>
  );
}
