import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Agent } from '../../../data/directory';
import { completed, matching, mentionAt, type Typed } from './mention-query';

interface MentionsOptions {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  setDraft: (text: string) => void;
  agents: readonly Agent[];
}

export function useMentions({ field, draft, setDraft, agents }: MentionsOptions) {
  const listId = useId();
  const [typed, setTyped] = useState<Typed>();
  const [marked, setMarked] = useState(0);
  const offered = typed ? matching(agents, typed.query) : [];
  const close = () => setTyped(undefined);
  const choose = ({ name }: Agent) => {
    if (!typed) return;
    const next = completed(draft, typed, name);
    // Renders synchronously, so that the next typed letter follows the inserted name.
    flushSync(() => {
      setDraft(next.text);
      close();
    });
    field.current?.focus();
    field.current?.setSelectionRange(next.caret, next.caret);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const chosen = offered[marked];
    if (!chosen || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isSending = event.metaKey || event.ctrlKey;
    if (step) setMarked((marked + step + offered.length) % offered.length);
    else if ((event.key === 'Enter' && !isSending) || event.key === 'Tab') choose(chosen);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    onKeyDown,
    close,
    onCaret: ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
      const next = selectionStart === selectionEnd ? mentionAt(value, selectionStart) : undefined;
      if (next?.query !== typed?.query) setMarked(0);
      setTyped(next);
    },
    menu: { id: listId, offered, marked, onChoose: choose },
    completion: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': listId,
      'aria-activedescendant': offered[marked] && `${listId}-${offered[marked].id}`,
    } as const,
  };
}
