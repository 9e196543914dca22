import { createElement, Fragment, type ReactNode } from 'react';
import { t } from '../../i18n';
import { linked, pictured, referring } from './link-elements';
import type { References } from './references';
import type { Node } from './tree';

interface Context {
  references: References;
  levels: ReadonlyMap<Node, number>;
  isLinked: boolean;
}

export function MarkdownNodes({ nodes, references }: { nodes: Node[]; references: References }) {
  return shownAll(nodes, { references, levels: headingLevels(nodes), isLinked: false });
}

function headingLevels(nodes: readonly Node[]): Map<Node, number> {
  let last = 2;
  const levels = new Map<Node, number>();
  const visit = (node: Node) => {
    if (node.kind === 'heading') {
      last = Math.min(depthOf(node) + 2, last + 1, 6);
      levels.set(node, last);
    }
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return levels;
}

const depthOf = ({ tag }: Node) => Number(tag.slice(1));

const shownAll = (nodes: readonly Node[], context: Context): ReactNode =>
  createElement(Fragment, null, ...nodes.map((node) => shown(node, context)));

function shown(node: Node, context: Context): ReactNode {
  const inside = () => shownAll(node.children, context);
  switch (node.kind) {
    case 'inline':
    case 'thead':
    case 'tbody':
    case 'tr':
      return node.kind === 'inline' ? inside() : createElement(node.kind, null, inside());
    case 'text':
      return context.isLinked ? node.text : referring(node.text, context.references);
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'paragraph':
      return node.isHidden ? inside() : <p>{inside()}</p>;
    case 'heading':
      return createElement(
        `h${context.levels.get(node)}`,
        { className: depthOf(node) === 1 ? 'mt-2 text-lg font-semibold' : 'mt-1 font-semibold' },
        inside(),
      );
    case 'em':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong className="font-semibold">{inside()}</strong>;
    case 's':
      return <s>{inside()}</s>;
    case 'code_inline':
      return (
        <code className="rounded bg-sunken px-1 py-px font-mono text-[0.92em]">{node.text}</code>
      );
    case 'fence':
    case 'code_block':
      return <CodeBlock text={node.text} />;
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2.5 border-l-2 border-line-strong pl-3 text-muted">
          {inside()}
        </blockquote>
      );
    case 'bullet_list':
      return <ul className="flex list-disc flex-col gap-1 pl-5">{inside()}</ul>;
    case 'ordered_list':
      return (
        <ol
          start={Number(node.attribute('start') ?? 1)}
          className="flex list-decimal flex-col gap-1 pl-5"
        >
          {inside()}
        </ol>
      );
    case 'list_item':
      return <Item isDone={node.isDone}>{inside()}</Item>;
    case 'table':
      return <Table>{inside()}</Table>;
    case 'th':
    case 'td':
      return createElement(
        node.kind,
        { style: { textAlign: alignmentOf(node) }, className: CELL },
        inside(),
      );
    case 'hr':
      return <hr className="border-line" />;
    case 'link':
      return linked(node.attribute('href'), inside, () =>
        shownAll(node.children, { ...context, isLinked: true }),
      );
    case 'image':
      return pictured(node.attribute('src'), node.text, context.isLinked);
    default:
      return node.text || inside();
  }
}

function Item({ isDone, children }: { isDone: boolean | undefined; children: ReactNode }) {
  if (isDone === undefined) return <li>{children}</li>;
  return (
    <li className="-ml-5 flex list-none items-baseline gap-1.5">
      <input
        type="checkbox"
        checked={isDone}
        disabled
        aria-label={t(isDone ? 'markdown.taskDone' : 'markdown.taskOpen')}
        className="shrink-0 translate-y-0.5"
      />
      <div className="min-w-0">{children}</div>
    </li>
  );
}

const CodeBlock = ({ text }: { text: string }) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls
    tabIndex={0}
    className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm"
  >
    <code>{text}</code>
  </pre>
);

const Table = ({ children }: { children: ReactNode }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls
    tabIndex={0}
    aria-label={t('markdown.table')}
    className="max-w-full overflow-x-auto"
  >
    <table className="text-sm">{children}</table>
  </section>
);

const CELL = 'border-b border-line px-2.5 py-1 align-top';

function alignmentOf(cell: Node): 'left' | 'center' | 'right' {
  const [, written] = /text-align:(center|right)/.exec(cell.attribute('style') ?? '') ?? [];
  return (written as 'center' | 'right' | undefined) ?? 'left';
}
