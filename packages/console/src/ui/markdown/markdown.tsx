import { classNames } from '../class-names';
import { deferred } from '../deferred';

const MarkdownText = deferred(
  () => import('./markdown-text').then(({ MarkdownText }) => MarkdownText),
  ({ text }: { text: string }) => <p className="whitespace-pre-wrap">{text}</p>,
);

/**
 * Text that agents and people wrote, as Markdown. HTML in it is shown as the characters that it is; the parser is
 * loaded with the first text, which until then stands there as it was written.
 */
export function Markdown({ text, className }: { text: string; className?: string }) {
  return (
    <div className={classNames('min-w-0', className)}>
      <MarkdownText text={text} />
    </div>
  );
}
