import type { CommentText } from './read-comment-text';
import { type HandleNode, handleTree, type RosterAgent } from './roster';

export interface Mention {
  agent: RosterAgent | null;
  isBoard: boolean;
  name: string;
  beyondLimit: boolean;
}

/**
 * Gives the board priority over an agent named `board`, because the agent must not receive requests
 * to people.
 */
const BOARD: RosterAgent = { id: 'board', name: 'board' };

/**
 * Returns each mention once, in the order of the text. The roster does not contain terminated
 * agents.
 */
export function parseMentions(text: CommentText, roster: readonly RosterAgent[]): Mention[] {
  return readHandles(text, roster).mentions;
}

export function readHandles(text: CommentText, roster: readonly RosterAgent[]) {
  const { blocks, unread } = text;
  const tree = handleTree([BOARD, ...roster], [...blocks, unread]);
  const mentions = new Map<string, Mention>();
  const strangers = new Set<string>();
  const collect = (part: string, beyondLimit: boolean) => {
    for (const { handle, agents } of handlesIn(part, tree)) {
      if (agents.length === 0) {
        if (!beyondLimit && strangers.size < MAX_STRANGERS) strangers.add(handle);
        continue;
      }
      const isBoard = agents.includes(BOARD);
      const agent = agents.length === 1 && !isBoard ? (agents[0] ?? null) : null;
      const key = agent ? `agent ${agent.id}` : `handle ${handle}`;
      if (mentions.has(key)) continue;
      mentions.set(key, { agent, isBoard, name: agent?.name ?? handle, beyondLimit });
    }
  };
  for (const block of blocks) collect(block, false);
  collect(unread, true);
  return { mentions: [...mentions.values()], strangers: [...strangers] };
}

const MAX_STRANGERS = 20;

const WORD = /[\p{L}\p{M}\p{N}\p{Pc}]/u;
const MAX_STARTS = 5_000;
const JOINS_WORDS = new Set(['-', '.', '/']);

const isWordAt = (text: string, at: number) =>
  at < text.length && WORD.test(String.fromCodePoint(text.codePointAt(at) as number));

/** `a@name`, `@@name`, `path/@name` and `key=@name` are not mentions. */
function mayStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charAt(at - 1);
  if (before === '@' || before === '/' || before === '=') return false;
  const isHalf = before >= '\uDC00' && before <= '\uDFFF';
  return !isWordAt(text, isHalf ? at - 2 : at - 1);
}

/**
 * `@name's`, `@name,` and `@name.` are mentions; `@name-two`, `@name.com`, `@name/x`, `@name(x)`
 * and `@name@x` are not.
 */
function mayEnd(text: string, at: number): boolean {
  if (text.charAt(at) === '@' || text.charAt(at) === '(' || isWordAt(text, at)) return false;
  return !(JOINS_WORDS.has(text.charAt(at)) && isWordAt(text, at + 1));
}

function longestAt(text: string, from: number, tree: HandleNode) {
  let longest: { end: number; agents: Set<RosterAgent> } | null = null;
  let node = tree.next.get(text.charAt(from));
  for (let at = from + 1; node; at += 1) {
    if (node.agents.size > 0 && mayEnd(text, at)) longest = { end: at, agents: node.agents };
    node = node.next.get(text.charAt(at));
  }
  return longest;
}

const NAME = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Pc}]*(?:['’-][\p{L}\p{M}\p{N}\p{Pc}]+)*/uy;
const MAX_NAME = 64;

function nameAt(text: string, from: number): string | null {
  NAME.lastIndex = 0;
  const [word = ''] = NAME.exec(text.slice(from, from + MAX_NAME + 1)) ?? [];
  const name = word.replace(/['’]s$/, '');
  if (name === '' || word.length > MAX_NAME) return null;
  const end = from + word.length;
  return mayEnd(text, end) ? name : null;
}

function* handlesIn(text: string, tree: HandleNode) {
  let starts = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (starts++ === MAX_STARTS) return;
    if (!mayStart(text, at)) continue;
    const found = longestAt(text, at + 1, tree);
    if (!found) {
      const name = nameAt(text, at + 1);
      if (name !== null) yield { handle: name, agents: [] };
      continue;
    }
    yield { handle: text.slice(at + 1, found.end), agents: [...found.agents] };
    at = found.end - 1;
  }
}
