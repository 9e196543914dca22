import { isId } from '@switchyard/db';
import { ERROR_CODES } from '@switchyard/types';
import fc from 'fast-check';
import { foldSearchChanges } from '../src/features/search/fold-search-changes';
import type { Ask, Question, Reply } from './ask';
import { everything } from './everything';
import type { Harness } from './harness';
import { inputsFor, junkText, queriesFor } from './junk';
import { multipart } from './multipart';
import type { KnownOperation } from './operations';
import type { RouteRow } from './security-table';
import { fill, type Ids, parametersOf, type Side } from './world';

const CODES: readonly unknown[] = ERROR_CODES;

export function faultOf({ status, headers, body }: Reply): string | null {
  if (status >= 500) return `a ${status}`;
  if (status < 400) return null;
  const { error, code, requestId } = Object(body) as Record<string, unknown>;
  if (typeof error !== 'string' || error === '') return 'no sentence';
  if (!CODES.includes(code)) return `the code ${code}`;
  if (requestId !== headers['x-correlation-id']) return 'another requestId';
  if (JSON.stringify(body).length > 20_000) return 'an answer that is too long';
  return null;
}

const headerText = junkText.map((text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 500));

const pathText = junkText.map((text) => text.slice(0, 500).toWellFormed());

const usually = <T, U>(arbitrary: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: other });

interface World {
  ids: Ids;
  references: string[];
  key: string;
  runnerToken: string;
}

function questionsFor(route: KnownOperation, row: RouteRow, world: World) {
  const { ids, key, runnerToken } = world;
  const references = world.references.filter(isId);
  const paths = fc
    .record(Object.fromEntries(parametersOf(route.path).map((name) => [name, pathText])))
    .map((values) => fill(route.path, values as unknown as Ids));
  const headers = fc.record(
    {
      authorization: fc.constant(key),
      'x-service-run-id': fc.oneof(fc.constantFrom(...references), headerText),
      'idempotency-key': headerText,
      'x-correlation-id': headerText,
      'last-event-id': headerText,
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'application/json; charset=x',
      ),
    },
    { requiredKeys: [] },
  );
  const runner = { authorization: `Bearer ${runnerToken}`, 'x-run-ticket': 'x'.repeat(43) };
  const caller = fc.constantFrom<Question['headers']>(
    ...(row.access === 'board' ? [{}, {}, {}] : [{}]),
    ...(row.access === 'runner' ? [runner, runner, runner] : []),
    { authorization: key },
  );
  const body = inputsFor(route.body, references, row.body?.(ids));
  const sent = body.map((value) => ({ body: JSON.stringify(value), headers: {} }));
  const file = fc.record({ name: junkText, contentType: headerText, content: junkText });
  const search = queriesFor(route.queries, references);
  const none = fc.constant('');
  return fc
    .record({
      path: usually(fc.constant(fill(route.path, ids)), paths),
      search: route.method === 'GET' ? search : usually(none, search),
      headers: usually(caller, headers),
      sent: row.file ? usually(file.map(multipart), sent) : sent,
    })
    .map((random): Question => {
      const path = random.path + random.search;
      const question = { method: route.method, path, headers: random.headers };
      if (route.method === 'GET') return question;
      const { body, headers } = random.sent;
      return { ...question, body, headers: { ...headers, ...random.headers } };
    });
}

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
  const questions = questionsFor(route, row, {
    ids: own.ids,
    references,
    key,
    runnerToken: own.runnerToken,
  });
  await fc.assert(fc.asyncProperty(questions, check), { numRuns, seed });
  if (route.method === 'GET') expect(await state()).toEqual(before);
}
