import { BARRIER } from '../../state/names/fold-text';
import { markdown } from './markdown';

const AFTER_SCHEME = /:\/\/[\x21-\x7e]*/g;

export function hideAddresses(text: string): string {
  if (!text.includes('@')) return text;
  let shown = '';
  let from = 0;
  for (const link of markdown.linkify.match(text) ?? []) {
    shown += text.slice(from, link.index) + BARRIER;
    from = link.lastIndex;
  }
  return (shown + text.slice(from)).replace(AFTER_SCHEME, BARRIER);
}
