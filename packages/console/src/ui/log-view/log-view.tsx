import './log-view.css';
import { useState } from 'react';
import { t } from '../../i18n';
import { formatBytes } from '../../i18n/formats';
import { Empty, Failure } from '../states';
import { LogRows } from './log-rows';
import { LogToolbar } from './log-toolbar';
import { windowFrom, windowTo } from './log-window';
import { useLog } from './use-log';
import { useLogSearch } from './use-log-search';

interface LogViewProps {
  runId: string;
  written: number;
  isLive: boolean;
  startsAt: 'start' | 'end';
  className?: string;
}

/**
 * Shows a run's log of any length. The page holds a part of the log and reads more for scrolling,
 * searching or following. Output is only rendered as text nodes.
 */
export function LogView({ runId, written, isLive, startsAt, className }: LogViewProps) {
  const [isFollowing, setFollowing] = useState(isLive);
  const [isWrapped, setWrapped] = useState(() => localStorage.getItem(WRAPPED) !== 'no');
  const log = useLog(runId, written, isFollowing, startsAt);
  const search = useLogSearch(runId, log, () => setFollowing(false));
  const wrap = (next: boolean) => {
    localStorage.setItem(WRAPPED, next ? 'yes' : 'no');
    setWrapped(next);
  };
  const { window, size } = log;
  const follow = (next: boolean) => {
    if (next && windowTo(window) < size) log.jump('end');
    setFollowing(next);
  };
  const isAtStart = windowFrom(window) === 0;
  const isAtEnd = windowTo(window) >= size;
  return (
    <section
      aria-label={t('log.title')}
      className={`flex min-h-0 flex-col overflow-hidden bg-sunken ${className ?? ''}`}
    >
      <LogToolbar
        search={search}
        rows={window.rows}
        follow={isLive ? { isOn: isFollowing, set: follow } : undefined}
        wrap={{ isOn: isWrapped, set: wrap }}
        ends={{
          toStart: isAtStart ? undefined : () => log.jump(0),
          toEnd: isAtEnd ? undefined : () => log.jump('end'),
        }}
      />
      {size === 0 ? (
        <Empty title={t(isLive ? 'log.emptyLive' : 'log.empty')} />
      ) : log.error && window.rows.length === 0 ? (
        <Failure error={log.error} onRetry={() => log.jump(0)} />
      ) : (
        <LogRows
          key={runId}
          window={window}
          landing={log.landing}
          isWrapped={isWrapped}
          isFollowing={isFollowing}
          text={search.text}
          found={search.row}
          onStart={isAtStart ? undefined : log.readBefore}
          onEnd={isAtEnd ? undefined : log.readAfter}
          onFollow={isLive || isFollowing ? follow : undefined}
        />
      )}
      {size > 0 && !(isAtStart && isAtEnd) && (
        <p className="border-t border-line px-3 py-1 text-xs text-muted">
          {t('log.position', {
            from: formatBytes(windowFrom(window)),
            to: formatBytes(windowTo(window)),
            size: formatBytes(size),
          })}
        </p>
      )}
    </section>
  );
}

const WRAPPED = 'log-wrapped';
