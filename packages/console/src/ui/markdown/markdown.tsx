import { classNames } from '../class-names';
import { deferred } from '../deferred';

const MarkdownText = deferred(
  () => import('./markdown-text').then(({ MarkdownText }) => MarkdownText),
  ({ text }: { text: string }) => <p className="whitespace-pre-wrap">{text}</p>,
);

export function Markdown({ text, className }: { text: string; className?: string }) {
  return (
    <div className={classNames('min-w-0', className)}>
      <MarkdownText text={text} />
    </div>
  );
}
