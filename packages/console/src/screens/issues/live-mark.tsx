import { word } from '../../i18n';
import { Elapsed } from '../../ui/time';
import type { ListedIssue } from './edit-keys';

export function LiveMark({ run }: { run: NonNullable<ListedIssue['liveRun']> }) {
  return (
    <span className="inline-flex h-5 shrink-0 items-center gap-1.5 rounded-full bg-live-soft px-2 text-xs text-live">
      <span aria-hidden className="pulse-live size-1.5 rounded-full bg-live" />
      {run.startedAt ? <Elapsed from={run.startedAt} /> : word('runStatus', run.status)}
    </span>
  );
}
