import type { ReactNode } from 'react';
import type { Schemas } from '../data/api';
import { word } from '../i18n';
import { classNames } from './class-names';

export type Priority = Schemas['Issue']['priority'];

const ring = (dash?: string) => (
  <circle
    cx="8"
    cy="8"
    r="6"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeDasharray={dash}
  />
);
const slice = (d: string) => <path d={d} fill="currentColor" />;
const disc = (mark: string) => (
  <>
    <circle cx="8" cy="8" r="6.9" fill="currentColor" />
    <path
      d={mark}
      fill="none"
      stroke="var(--surface)"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </>
);
const CHECK = 'M5.2 8.3l1.9 1.9 3.7-4.1';
const CROSS = 'M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4';
const BAR = 'M5.2 8h5.6';
const EXCLAIM = 'M8 4.9v3.6M8 10.9v.1';
const PAUSE = 'M6.5 5.6v4.8M9.5 5.6v4.8';

const SHAPES: Record<string, [shape: ReactNode, tone: string]> = {
  'issue.backlog': [ring('2.2 2.5'), 'text-faint'],
  'issue.todo': [ring(), 'text-muted'],
  'issue.in_progress': [
    <>
      {ring()}
      {slice('M8 4.5a3.5 3.5 0 0 1 0 7z')}
    </>,
    'text-warn',
  ],
  'issue.in_review': [
    <>
      {ring()}
      {slice('M8 8V4.5a3.5 3.5 0 1 1-3.5 3.5z')}
    </>,
    'text-live',
  ],
  'issue.blocked': [disc(BAR), 'text-bad'],
  'issue.done': [disc(CHECK), 'text-good'],
  'issue.cancelled': [disc(CROSS), 'text-faint'],
  'run.queued': [ring('2.2 2.5'), 'text-muted'],
  'run.running': [
    <>
      {ring()}
      <circle cx="8" cy="8" r="2.8" fill="currentColor" className="pulse-live" />
    </>,
    'text-live',
  ],
  'run.succeeded': [disc(CHECK), 'text-good'],
  'run.failed': [disc(EXCLAIM), 'text-bad'],
  'run.timed_out': [
    <>
      {ring()}
      <path
        d="M8 4.8V8l2.2 1.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </>,
    'text-bad',
  ],
  'run.cancelled': [disc(CROSS), 'text-faint'],
  'agent.idle': [ring(), 'text-muted'],
  'agent.running': [
    <>
      {ring()}
      <circle cx="8" cy="8" r="2.8" fill="currentColor" className="pulse-live" />
    </>,
    'text-live',
  ],
  'agent.paused': [disc(PAUSE), 'text-warn'],
  'agent.error': [disc(EXCLAIM), 'text-bad'],
  'agent.pending_approval': [ring('2.2 2.5'), 'text-live'],
  'agent.terminated': [disc(CROSS), 'text-faint'],
};

export function StatusMark({
  of: kind,
  status,
  isLabelled,
  className,
}: {
  of: 'issue' | 'run' | 'agent';
  status: string;
  isLabelled?: boolean;
  className?: string;
}) {
  const [shape, tone] = SHAPES[`${kind}.${status}`] ?? [ring(), 'text-muted'];
  const label = word(`${kind}Status`, status);
  return (
    <span
      className={classNames('inline-flex items-center gap-1.5', className)}
      title={isLabelled ? undefined : label}
    >
      <svg
        viewBox="0 0 16 16"
        width="14"
        height="14"
        className={classNames('shrink-0', tone)}
        role={isLabelled ? undefined : 'img'}
        aria-hidden={isLabelled || undefined}
        aria-label={isLabelled ? undefined : label}
      >
        {shape}
      </svg>
      {isLabelled && <span>{label}</span>}
    </span>
  );
}

const BARS: Record<string, number> = { low: 1, medium: 2, high: 3 };

export function PriorityMark({ priority, isLabelled }: { priority: string; isLabelled?: boolean }) {
  const label = word('priority', priority);
  const isCritical = priority === 'critical';
  return (
    <span className="inline-flex items-center gap-1.5" title={isLabelled ? undefined : label}>
      <svg
        viewBox="0 0 16 16"
        width="14"
        height="14"
        className={classNames('shrink-0', isCritical ? 'text-bad' : 'text-muted')}
        role={isLabelled ? undefined : 'img'}
        aria-hidden={isLabelled || undefined}
        aria-label={isLabelled ? undefined : label}
      >
        {isCritical ? (
          <>
            <rect x="1.5" y="1.5" width="13" height="13" rx="3" fill="currentColor" />
            <path d={EXCLAIM} stroke="var(--surface)" strokeWidth="1.9" strokeLinecap="round" />
          </>
        ) : (
          [1, 2, 3].map((bar) => (
            <rect
              key={bar}
              x={bar * 4.5 - 2.5}
              y={13 - bar * 3.2}
              width="3"
              height={bar * 3.2}
              rx="0.8"
              fill="currentColor"
              opacity={bar <= (BARS[priority] ?? 0) ? 1 : 0.28}
            />
          ))
        )}
      </svg>
      {isLabelled && <span>{label}</span>}
    </span>
  );
}

export function Avatar({
  name,
  isPerson,
  size = 20,
}: {
  name: string;
  isPerson?: boolean;
  size?: number;
}) {
  const letters = name
    .split(/[\s_-]+/)
    .map(([first]) => first)
    .slice(0, 2)
    .join('')
    .toLocaleUpperCase();
  return (
    <span
      aria-hidden
      data-letters={letters}
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      className={classNames(
        'inline-flex shrink-0 before:content-[attr(data-letters)] items-center justify-center border border-line-strong bg-hover font-semibold text-muted',
        isPerson ? 'rounded-full' : 'rounded',
      )}
    />
  );
}

const TONES = {
  plain: 'border-line-strong text-muted',
  good: 'border-good/40 bg-good-soft text-good',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  bad: 'border-bad/40 bg-bad-soft text-bad',
  live: 'border-live/40 bg-live-soft text-live',
} as const;

export function Tag({
  tone = 'plain',
  children,
  title,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
  title?: string;
}) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-5 shrink-0 items-center rounded-full border px-2 text-xs whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
