import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  extendTo: (id: string, order: readonly string[]) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  return {
    ids,
    toggle: (id) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setIds(next);
      setLast(id);
    },
    extendTo: (id, order) => {
      const [from, to] = [order.indexOf(last ?? id), order.indexOf(id)];
      if (to === -1) return;
      const start = from === -1 ? to : from;
      setIds(new Set([...ids, ...order.slice(Math.min(start, to), Math.max(start, to) + 1)]));
      setLast(id);
    },
    clear: () => setIds(new Set()),
  };
}
