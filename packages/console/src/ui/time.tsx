import { useSyncExternalStore } from 'react';
import { formatAgo, formatDuration, formatExact } from '../i18n/formats';

let now = Date.now();
const listeners = new Map<() => void, number>();
let timer: ReturnType<typeof setInterval> | undefined;

function useNow(everyMs: number): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.set(listener, everyMs);
      timer ??= setInterval(tick, 1_000);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    () => Math.floor(now / everyMs) * everyMs,
  );
}

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const [listener] of listeners) listener();
}

export function Ago({ at, className }: { at: string; className?: string }) {
  useNow(30_000);
  return (
    <time dateTime={at} title={formatExact(at)} className={className}>
      {formatAgo(at, Date.now())}
    </time>
  );
}

export function Elapsed({
  from,
  to,
  className,
}: {
  from: string;
  to?: string | null;
  className?: string;
}) {
  useNow(to ? 3_600_000 : 1_000);
  const end = to ? new Date(to).getTime() : Date.now();
  return <span className={className}>{formatDuration(end - new Date(from).getTime())}</span>;
}
