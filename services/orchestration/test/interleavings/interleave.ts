import { setImmediate as turn } from 'node:timers/promises';
import type { Effect, Gate } from './gate';

export interface Session {
  name: string;
  gate: Gate;
}

export interface Scenario<In extends Session> {
  requests: ((session: In) => Promise<unknown>)[];
  read: () => Promise<unknown>;
}

export type ReadBlocked = () => Promise<string[]>;

const MOST_ORDERS = 2_000;
/** In ms; longer than PostgreSQL needs to detect a deadlock. */
const STEP_MS = 30_000;

interface Choice {
  taken: number;
  /** Effects of the next statements, by session; null if the session holds no statement. */
  next: (Effect | null)[];
}

/** Two adjacent statements may swap unless one commits or both take locks. */
const canSwap = (one: Effect, other: Effect) =>
  one !== 'commit' && other !== 'commit' && (one === 'read' || other === 'read');

/**
 * True if swapping the last two steps gives an equivalent order in which the lower session comes
 * first.
 */
function isRepetition(before: Choice | undefined, taken: number): boolean {
  if (!before || before.taken < taken || before.taken === taken) return false;
  const [earlier, later] = [before.next[before.taken], before.next[taken]];
  return !!earlier && !!later && canSwap(earlier, later);
}

const switchesIn = (order: number[], choices: Choice[]) =>
  order.filter((taken, at) => {
    const before = order[at - 1];
    return before !== undefined && before !== taken && choices[at]?.next[before];
  }).length;

/**
 * Repeats a scenario with every order of its requests' statements, and returns each outcome with
 * the orders that lead to it. Skips orders that only swap independent statements. `deviating`
 * counts orders that could not be repeated, because the requests sent other statements. With
 * `mostSwitches`, skips orders that interrupt requests more often; a request that ends or waits for
 * a lock is not interrupted.
 * @throws if there are more than 2,000 orders
 */
export async function allOrders<In extends Session>(
  sessions: In[],
  readBlocked: ReadBlocked,
  begin: () => Promise<Scenario<In>>,
  mostSwitches?: number,
): Promise<{ orders: number; deviating: number; outcomes: Map<string, string[]> }> {
  const outcomes = new Map<string, string[]>();
  const unexplored: number[][] = [[]];
  let orders = 0;
  let deviating = 0;
  for (let prefix = unexplored.pop(); prefix; prefix = unexplored.pop()) {
    if (++orders > MOST_ORDERS) throw new Error(`more than ${MOST_ORDERS} orders`);
    const { choices, deviates, outcome } = await runOrder(sessions, readBlocked, await begin(), {
      prefix,
      keepsOn: mostSwitches !== undefined,
    });
    if (deviates) deviating++;
    const taken = choices.map((choice) => choice.taken);
    for (let at = choices.length - 1; at >= prefix.length; at--) {
      for (const [other, effect] of (choices[at]?.next ?? []).entries()) {
        if (!effect || other === taken[at]) continue;
        const order = [...taken.slice(0, at), other];
        const isSkipped =
          mostSwitches === undefined
            ? isRepetition(choices[at - 1], other)
            : switchesIn(order, choices) > mostSwitches;
        if (!isSkipped) unexplored.push(order);
      }
    }
    const key = JSON.stringify(outcome);
    const names = taken.map((index) => sessions[index]?.name).join('');
    outcomes.set(key, [...(outcomes.get(key) ?? []), names]);
  }
  return { orders, deviating, outcomes };
}

async function runOrder<In extends Session>(
  sessions: In[],
  readBlocked: ReadBlocked,
  { requests, read }: Scenario<In>,
  { prefix, keepsOn }: { prefix: number[]; keepsOn: boolean },
) {
  const choices: Choice[] = [];
  let deviates = false;
  const choose = (next: (Effect | null)[]) => {
    const ready = readyIn(next);
    const last = choices.at(-1);
    const fresh = ready.filter((index) =>
      keepsOn ? index === last?.taken : !isRepetition(last, index),
    );
    const wanted = prefix[choices.length];
    if (wanted !== undefined && !next[wanted]) deviates = true;
    const taken = (ready.find((index) => index === wanted) ?? fresh[0] ?? ready[0]) as number;
    choices.push({ taken, next });
    return taken;
  };
  const answers = await interleave(sessions, readBlocked, requests, choose);
  return { choices, deviates, outcome: { answers, state: await read() } };
}

export const readyIn = (next: (Effect | null)[]) => [...next.keys()].filter((index) => next[index]);

/**
 * Runs requests at the same time, each in its session. `choose` receives the effects of the
 * statements that wait, by session, and returns the session whose statement is sent next.
 * @returns the answers, in the order of the requests
 */
export async function interleave<In extends Session, Answer>(
  sessions: In[],
  readBlocked: ReadBlocked,
  requests: ((session: In) => Promise<Answer>)[],
  choose: (next: (Effect | null)[]) => number | Promise<number>,
): Promise<Answer[]> {
  const used = sessions.slice(0, requests.length);
  const isOver = requests.map(() => false);
  for (const { gate } of used) gate.close();
  const ending = Promise.all(
    requests.map(async (request, index) => {
      try {
        return await request(sessions[index] as In);
      } finally {
        isOver[index] = true;
      }
    }),
  );
  ending.catch(() => undefined);

  const nextOf = () => used.map(({ gate }, index) => (isOver[index] ? null : gate.next()));

  const settle = async () => {
    const deadline = performance.now() + STEP_MS;
    for (;;) {
      await turn();
      const next = nextOf();
      const moving = used.filter((_, index) => !isOver[index] && !next[index]);
      if (moving.length === 0) return;
      if (performance.now() > deadline) {
        throw new Error(`${moving.map(({ name }) => name)} neither end nor hold a statement`);
      }
      if (!next.some(Boolean) || !moving.every(({ gate }) => gate.isWaiting())) continue;
      const blocked = await readBlocked();
      if (moving.every(({ name }) => blocked.includes(name))) return;
    }
  };

  try {
    for (;;) {
      await settle();
      const next = nextOf();
      if (readyIn(next).length === 0) break;
      used[await choose(next)]?.gate.step();
    }
    return await ending;
  } finally {
    for (const { gate } of used) gate.open();
    await ending.catch(() => undefined);
  }
}
