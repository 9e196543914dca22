import './log-view.css';
import { useState } from 'react';
import { loadTexts, t } from '../../i18n';
import { formatBytes } from '../../i18n/formats';
import { deferred } from '../deferred';
import { Empty, Failure, Skeleton } from '../states';
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
  hasTranscript: boolean;
  className?: string;
}

/**
 * Shows a run's log of any length. The page holds a part of the log and reads more for scrolling,
 * searching or following. Output is only rendered as text nodes.
 */
export function LogView(props: LogViewProps) {
  const { runId, written, isLive, startsAt, hasTranscript, className } = props;
  const [isFollowing, setFollowing] = useState(isLive);
  const [isWrapped, setWrapped] = useState(() => localStorage.getItem(WRAPPED) !== 'no');
  const log = useLog(runId, written, isFollowing, startsAt);
  const search = useLogSearch(runId, log, () => setFollowing(false));
  const [prefersLog, setPrefersLog] = useState(() => localStorage.getItem(AS_LOG) === 'yes');
  const isTranscript = hasTranscript && !prefersLog;
  const wrap = (next: boolean) => {
    localStorage.setItem(WRAPPED, next ? 'yes' : 'no');
    setWrapped(next);
  };
  const showTranscript = (next: boolean) => {
    localStorage.setItem(AS_LOG, next ? 'no' : 'yes');
    setPrefersLog(!next);
  };
  const { window, size } = log;
  const follow = (next: boolean) => {
    if (next && windowTo(window) < size) log.jump('end');
    setFollowing(next);
  };
  const goToStart = () => {
    setFollowing(false);
    log.jump(0);
  };
  const isAtStart = windowFrom(window) === 0;
  const isAtEnd = windowTo(window) >= size;
  const rows = {
    window,
    landing: log.landing,
    isFollowing,
    text: search.text,
    found: search.row,
    onStart: isAtStart ? undefined : log.readBefore,
    onEnd: isAtEnd ? undefined : log.readAfter,
    onFollow: isLive || isFollowing ? follow : undefined,
  };
  return (
    <section
      aria-label={t(isTranscript ? 'transcript.title' : 'log.title')}
      className={`flex min-h-0 flex-col overflow-hidden bg-sunken ${className ?? ''}`}
    >
      <LogToolbar
        search={search}
        rows={window.rows}
        follow={isLive ? { isOn: isFollowing, set: follow } : undefined}
        wrap={isTranscript ? undefined : { isOn: isWrapped, set: wrap }}
        transcript={hasTranscript ? { isOn: isTranscript, set: showTranscript } : undefined}
        ends={{
          toStart: isAtStart && !isFollowing ? undefined : goToStart,
          toEnd: isAtEnd ? undefined : () => log.jump('end'),
        }}
      />
      {size === 0 ? (
        <Empty title={t(isLive ? 'log.emptyLive' : 'log.empty')} />
      ) : log.error && window.rows.length === 0 ? (
        <Failure error={log.error} onRetry={() => log.jump(0)} />
      ) : isTranscript ? (
        <Transcript key={runId} {...rows} isLive={isLive} />
      ) : (
        <LogRows key={runId} {...rows} isWrapped={isWrapped} />
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
const AS_LOG = 'run-as-log';

const TEXTS = {
  en: () => import('./transcript/texts/en.json'),
  de: () => import('./transcript/texts/de.json'),
};

const Transcript = deferred(
  async () => {
    const [{ Transcript }] = await Promise.all([
      import('./transcript/transcript'),
      loadTexts(TEXTS),
    ]);
    return Transcript;
  },
  () => <Skeleton />,
);
