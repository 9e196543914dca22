import type { Pool } from '@switchyard/db';

type Query = (...args: unknown[]) => unknown;

/**
 * `read` locks no row, `write` takes locks that it holds until its transaction ends, `commit` makes
 * effects visible and releases locks.
 */
export type Effect = 'read' | 'write' | 'commit';

const PASSES = /^(?:BEGIN|SET|DISCARD)\b/;
const ENDS = /^(?:COMMIT|ROLLBACK)\b/;
const WRITES = /\b(?:INSERT|UPDATE|DELETE|MERGE|FOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)|advisory)\b/;

function effectOf(text: string, isInTransaction: boolean): Effect {
  if (ENDS.test(text)) return 'commit';
  if (!WRITES.test(text)) return 'read';
  return isInTransaction ? 'write' : 'commit';
}

/**
 * Holds each statement of the watched pools until `step` sends it. An open gate sends each
 * statement immediately.
 */
export function createGate() {
  const held: { effect: Effect; send: () => void }[] = [];
  let isOpen = true;
  let underWay = 0;

  const enter = (text: string, isInTransaction: boolean): Promise<void> | void => {
    if (isOpen || PASSES.test(text)) {
      underWay++;
      return;
    }
    return new Promise((resolve) => {
      const send = () => {
        underWay++;
        resolve();
      };
      held.push({ effect: effectOf(text, isInTransaction), send });
    });
  };

  const watch = (pool: Pool) =>
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as Query;
      let isInTransaction = false;
      const gated: Query = async (config, ...rest) => {
        const text = typeof config === 'string' ? config : (config as { text: string }).text;
        if (/^BEGIN\b/.test(text)) isInTransaction = true;
        const entering = enter(text, isInTransaction);
        if (ENDS.test(text)) isInTransaction = false;
        await entering;
        const callback = rest.at(-1);
        if (typeof callback === 'function') {
          const answered: Query = (...answer) => {
            underWay--;
            callback(...answer);
          };
          return query(config, ...rest.slice(0, -1), answered);
        }
        try {
          return await (query(config, ...rest) as Promise<unknown>);
        } finally {
          underWay--;
        }
      };
      Object.assign(client, { query: gated });
    });

  return {
    watch,
    close: () => {
      isOpen = false;
    },
    open: () => {
      isOpen = true;
      for (const { send } of held.splice(0)) send();
    },
    step: () => held.shift()?.send(),
    next: (): Effect | null => held[0]?.effect ?? null,
    isWaiting: () => underWay > 0,
  };
}

export type Gate = ReturnType<typeof createGate>;
