import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt({ html: false, linkify: false, maxNesting: 20 });

type Token = ReturnType<typeof parser.parse>[number];

export interface Node {
  kind: string;
  tag: string;
  text: string;
  attribute: (name: string) => string | undefined;
  isHidden: boolean;
  isDone?: boolean;
  children: Node[];
}

export function treeOf(text: string): Node[] | undefined {
  return text.length > LONGEST ? undefined : nested(parser.parse(text, {}));
}

const LONGEST = 60_000;

function nested(tokens: readonly Token[]): Node[] {
  const top: Node[] = [];
  const open: Node[][] = [top];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
      if (token.type === 'list_item_close') markTask(open.at(-1)?.at(-1));
      continue;
    }
    const node = nodeOf(token);
    open.at(-1)?.push(node);
    if (token.nesting > 0) open.push(node.children);
  }
  return top;
}

function nodeOf(token: Token): Node {
  return {
    kind: token.type.replace(/_open$/, ''),
    tag: token.tag,
    text: token.content,
    attribute: (name) => token.attrGet(name)?.toString(),
    isHidden: token.hidden,
    children: token.children ? nested(token.children) : [],
  };
}

function markTask(item: Node | undefined): void {
  const first = item?.children[0]?.children[0]?.children[0];
  const mark = first?.kind === 'text' ? TASK.exec(first.text) : null;
  if (!item || !first || !mark) return;
  first.text = first.text.slice(mark[0].length);
  item.isDone = mark[1] !== ' ';
}

const TASK = /^\[([ xX])\][ \t]+/;
