import { BARRIER } from '../../state/names/fold-text';
import type { Token } from './markdown';

export function inlineText(tokens: readonly Token[]): string {
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
