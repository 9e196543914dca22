import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldText } from '../../state/names/fold-text';
import { type AgentLink, agentLinks, unreadAgentLinks } from './agent-links';
import { hideAddresses } from './hide-addresses';
import { inlineText } from './inline-text';
import { markdown, type Token } from './markdown';

/**
 * How much of a comment is read as Markdown. With this length no input makes one step of the parser
 * take more than about 20 ms.
 */
export const READ_LIMIT = 20_000;
/** How far before the limit a line may end for the cut to be there rather than inside a line. */
const CUT_SEARCH = 2_000;
/** Address search is slow for its length, so it gets pieces and turns in between. */
const PIECE = 4_000;
const TURN_MS = 8;

export interface CommentText {
  body: string;
  /** Folded plain text, one entry for each paragraph, heading or table cell. */
  blocks: string[];
  /** What lies beyond the limit, folded as it was written; mentions in it are listed, and wake no agent. */
  unread: string;
  /** Mentions that are links, in the order of writing. */
  links: AgentLink[];
}

/** Whether nothing in it can be a mention. */
export function mentionsNobody({ blocks, unread, links }: CommentText): boolean {
  return blocks.length === 0 && unread === '' && links.length === 0;
}

/** The readable text of a comment; done before its transaction, because it may take some turns. */
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

/** Pieces end at white space where there is any. */
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

/** Lets others run when it has held the event loop for long enough. */
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
