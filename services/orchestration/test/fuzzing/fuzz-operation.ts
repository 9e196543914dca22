import fc from 'fast-check';
import { foldSearchChanges } from '../../src/features/search/fold-search-changes';
import type { Ask, Question } from '../ask';
import { everything } from '../everything';
import type { Harness } from '../harness';
import type { KnownOperation } from '../operations';
import type { RouteRow } from '../security-table';
import type { Side } from '../world';
import { faultOf } from './judge';
import { questionsFor } from './questions';

interface Fuzzed {
  harness: Harness;
  ask: Ask;
  route: KnownOperation;
  row: RouteRow;
  own: Side;
  foreign: Side;
  key: string;
}

/**
 * Sends `numRuns` random requests to one operation, by the board and by an agent. No response may
 * be 5xx, and a rejected request must not change anything. Another seed finds other cases.
 */
export async function fuzz(
  { harness, ask, route, row, own, foreign, key }: Fuzzed,
  { numRuns, seed }: { numRuns: number; seed: number },
): Promise<void> {
  const state = () => everything(harness, ['last_used_at']);
  const references = [...Object.values(own.ids), ...Object.values(foreign.ids)];
  // Indexes pending changes now, because a search during the test would do so and write rows.
  await foldSearchChanges(harness.context);
  let before = await state();
  const check = async (question: Question) => {
    const reply = await ask(question);
    expect({ fault: faultOf(reply), reply: reply.body }).toMatchObject({ fault: null });
    if (route.method === 'GET') return;
    const after = await state();
    if (reply.status >= 400) expect(after).toEqual(before);
    before = after;
  };
  const runner = { authorization: `Bearer ${own.runnerToken}`, 'x-run-ticket': 'x'.repeat(43) };
  const callers = [
    ...(row.access === 'board' ? [{}, {}, {}] : [{}]),
    ...(row.access === 'runner' ? [runner, runner, runner] : []),
    { authorization: key },
  ];
  const questions = questionsFor(route, row, { ids: own.ids, references, callers, key });
  await fc.assert(fc.asyncProperty(questions, check), { numRuns, seed });
  if (route.method === 'GET') expect(await state()).toEqual(before);
}
