import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { t } from '../../i18n';
import { classNames } from '../class-names';

const KINDS = {
  '+': { tone: 'bg-good-soft', label: 'diff.added' },
  '-': { tone: 'bg-bad-soft', label: 'diff.removed' },
  ' ': { tone: '', label: undefined },
} as const;

export function DiffLines({ before, after }: { before: string; after: string }) {
  const hunks = useMemo(() => hunksOf(before, after), [before, after]);
  if (!hunks) return <p className="text-sm text-muted">{t('diff.tooLarge')}</p>;
  if (hunks.length === 0) return <p className="text-sm text-muted">{t('diff.none')}</p>;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls
      tabIndex={0}
      aria-label={t('diff.title')}
      className="overflow-x-auto rounded-md border border-line font-mono text-sm"
    >
      {hunks.map((hunk) => (
        <ol key={hunk.newStart} className="min-w-fit border-line not-first:border-t">
          {hunk.lines.map((line, index) => {
            const { tone, label } = KINDS[line.charAt(0) as keyof typeof KINDS] ?? KINDS[' '];
            return (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison never change places
                key={index}
                className={classNames('flex px-2 whitespace-pre-wrap', tone)}
              >
                <span aria-hidden className="w-4 shrink-0 text-muted select-none">
                  {line.charAt(0)}
                </span>
                {label && <span className="sr-only">{t(label)}: </span>}
                <span>{line.slice(1)}</span>
              </li>
            );
          })}
        </ol>
      ))}
    </section>
  );
}

function hunksOf(before: string, after: string) {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: 1_000 });
  return patch?.hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.filter((line) => !line.startsWith('\\')),
  }));
}
