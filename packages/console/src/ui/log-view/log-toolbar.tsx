import {
  ArrowDownToLine,
  ArrowUpToLine,
  ChevronDown,
  ChevronUp,
  Copy,
  WrapText,
} from 'lucide-react';
import { t } from '../../i18n';
import { copyText } from '../browser/copy-text';
import { Button, IconButton } from '../button';
import { Input } from '../field';
import { Switch } from '../switch';
import { showToast } from '../toast';
import { plainText } from './ansi';
import type { LogSearch } from './use-log-search';

interface Setting {
  isOn: boolean;
  set: (isOn: boolean) => void;
}

interface LogToolbarProps {
  search: LogSearch;
  rows: readonly string[];
  follow: Setting | undefined;
  wrap: Setting | undefined;
  transcript: Setting | undefined;
  ends: { toStart: (() => void) | undefined; toEnd: (() => void) | undefined };
}

export function LogToolbar({ search, rows, follow, wrap, transcript, ends }: LogToolbarProps) {
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-b border-line bg-surface px-3 py-1.5">
      <h2 className={transcript ? 'sr-only' : 'text-sm font-semibold max-md:sr-only'}>
        {t(transcript?.isOn ? 'transcript.title' : 'log.title')}
      </h2>
      {transcript && (
        <span className="flex gap-1">
          {[true, false].map((isOn) => (
            <Button
              key={String(isOn)}
              tone="quiet"
              aria-pressed={transcript.isOn === isOn}
              onClick={() => transcript.set(isOn)}
              className="aria-pressed:bg-selected aria-pressed:text-text"
            >
              {t(isOn ? 'transcript.title' : 'log.title')}
            </Button>
          ))}
        </span>
      )}
      <search className="flex min-w-40 flex-1 max-md:basis-full md:max-w-72">
        <form
          className="flex flex-1 items-center gap-1"
          onSubmit={(event) => {
            event.preventDefault();
            search.step(1);
          }}
        >
          <Input
            type="search"
            value={search.text}
            onChange={(event) => search.setText(event.target.value)}
            placeholder={t('log.search')}
            aria-label={t('log.search')}
          />
          <IconButton
            icon={ChevronUp}
            label={t('log.previousFind')}
            onClick={() => search.step(-1)}
          />
          <IconButton icon={ChevronDown} label={t('log.nextFind')} onClick={() => search.step(1)} />
        </form>
      </search>
      <SearchState search={search} />
      <span className="flex-1" />
      {follow && (
        <Switch isOn={follow.isOn} onChange={follow.set}>
          {t('log.follow')}
        </Switch>
      )}
      {wrap && (
        <IconButton
          icon={WrapText}
          label={t('log.wrap')}
          aria-pressed={wrap.isOn}
          onClick={() => wrap.set(!wrap.isOn)}
          className="aria-pressed:bg-selected aria-pressed:text-text"
        />
      )}
      <IconButton
        icon={ArrowUpToLine}
        label={t('log.toStart')}
        disabled={!ends.toStart}
        onClick={ends.toStart}
      />
      <IconButton
        icon={ArrowDownToLine}
        label={t('log.toEnd')}
        disabled={!ends.toEnd}
        onClick={ends.toEnd}
      />
      <IconButton icon={Copy} label={t('log.copy')} onClick={() => void copy(rows)} />
    </div>
  );
}

function SearchState({ search: { found, isSearching } }: { search: LogSearch }) {
  const text = isSearching
    ? t('log.searching')
    : found &&
      (found.count === 0
        ? t('state.noneFound')
        : t(found.isComplete ? 'log.found' : 'log.foundSoFar', {
            at: found.at + 1,
            count: found.count,
          }));
  return (
    <span role="status" className="text-sm text-muted empty:hidden">
      {text}
    </span>
  );
}

async function copy(rows: readonly string[]): Promise<void> {
  await copyText(rows.map(plainText).join('\n'));
  showToast({ text: t('log.copied', { lines: rows.length }) });
}
