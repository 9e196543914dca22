import { lazy, Suspense } from 'react';
import { classNames } from '../class-names';

const MarkdownText = lazy(() =>
  import('./markdown-text').then(({ MarkdownText }) => ({ default: MarkdownText })),
);

/**
 * Text that agents and people wrote, as Markdown. HTML in it is shown as the characters that it is; the parser is
 * loaded with the first text, which until then stands there as it was written.
 */
export function Markdown({ text, className }: { text: string; className?: string }) {
  return (
    <div className={classNames('min-w-0', className)}>
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownText text={text} />
      </Suspense>
    </div>
  );
}
