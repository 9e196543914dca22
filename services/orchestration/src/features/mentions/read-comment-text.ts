import { setImmediate as nextTurn } from 'node:timers/promises';
import { BARRIER, foldText } from '../../state/names/fold-text';
import { type AgentLink, agentLinks, unreadAgentLinks } from './agent-links';
import { markdown, type Token } from './markdown';

/** Limits one step of the Markdown parser to about 20 ms for any input. */
export const READ_LIMIT = 20_000;
const CUT_SEARCH = 2_000;
/**
 * The search for addresses is slow, so it runs in pieces and yields to the event loop between them.
 */
const PIECE = 4_000;
const TURN_MS = 8;

export interface CommentText {
  body: string;
  blocks: string[];
  /** Case-folded text beyond the limit; its mentions are listed but wake no agent. */
  unread: string;
  links: AgentLink[];
}

export function mentionsNobody({ blocks, unread, links }: CommentText): boolean {
  return blocks.length === 0 && unread === '' && links.length === 0;
}

export async function readCommentText(body: string): Promise<CommentText> {
  if (!body.includes('@')) return { body, blocks: [], unread: '', links: [] };
  const takeTurns = createTurns();
  const cut = cutOf(body);
  const { blocks, links } = await readMarkdown(body.slice(0, cut), takeTurns);
  const rest = body.slice(cut);
  return { body, blocks, unread: foldText(rest), links: [...links, ...unreadAgentLinks(rest)] };
}

function cutOf(body: string): number {
  if (body.length <= READ_LIMIT) return body.length;
  const line = body.lastIndexOf('\n', READ_LIMIT);
  return line > READ_LIMIT - CUT_SEARCH ? line + 1 : READ_LIMIT;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    if (to < text.length) {
      const space = Math.max(text.lastIndexOf(' ', to), text.lastIndexOf('\n', to));
      if (space > from) to = space;
    }
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function createTurns() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}

async function readMarkdown(
  text: string,
  takeTurns: () => Promise<void>,
): Promise<Pick<CommentText, 'blocks' | 'links'>> {
  const env = {};
  const tokens: Token[] = [];
  markdown.block.parse(text.replace(/\r\n?/g, '\n'), markdown, env, tokens);
  await takeTurns();
  const blocks: string[] = [];
  const links: AgentLink[] = [];
  for (const { type, content } of tokens) {
    if (type !== 'inline' || !content.includes('@')) continue;
    const inline: Token[] = [];
    markdown.inline.parse(content, markdown, env, inline);
    await takeTurns();
    links.push(...agentLinks(inline));
    let block = '';
    for (const piece of piecesOf(inlineText(inline))) {
      block += hideAddresses(piece);
      await takeTurns();
    }
    blocks.push(foldText(block));
    await takeTurns();
  }
  return { blocks, links };
}

const AFTER_SCHEME = /:\/\/[\x21-\x7e]*/g;

function hideAddresses(text: string): string {
  if (!text.includes('@')) return text;
  let shown = '';
  let from = 0;
  for (const link of markdown.linkify.match(text) ?? []) {
    shown += text.slice(from, link.index) + BARRIER;
    from = link.lastIndex;
  }
  return (shown + text.slice(from)).replace(AFTER_SCHEME, BARRIER);
}

function inlineText(tokens: readonly Token[]): string {
  let links = 0;
  let opaque = 0;
  const pieces = tokens.map((token) => {
    if (token.type === 'link_open') links += 1;
    if (token.type === 'link_close') links -= 1;
    const element = token.type === 'html_inline' ? OPAQUE.exec(token.content) : null;
    if (element?.[1]) opaque = Math.max(0, opaque - 1);
    else if (element && !SELF_CLOSING.test(token.content)) opaque += 1;
    return links > 0 || opaque > 0 ? BARRIER : pieceOf(token);
  });
  return pieces.join('');
}

const OPAQUE = /^<(\/?)(?:a|code|kbd|pre|samp|script|style|textarea|tt|var)(?=[\s/>])/i;
const SELF_CLOSING = /\/>$/;

function pieceOf(token: Token): string {
  if (token.type === 'text') return token.content;
  if (token.type === 'text_special') return token.content === '@' ? BARRIER : token.content;
  if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n';
  return /^(?:em|strong|s)_(?:open|close)$/.test(token.type) ? '' : BARRIER;
}
