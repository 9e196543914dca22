import { isId } from '@switchyard/db';
import fc from 'fast-check';
import type { Question } from '../ask';
import { inputsFor, junkText, queriesFor } from '../junk';
import { multipart } from '../multipart';
import type { KnownOperation } from '../operations';
import type { RouteRow } from '../security-table';
import { fill, type Ids, parametersOf } from '../world';

export const headerText = junkText.map((text) =>
  text.replace(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 500),
);

const pathText = junkText.map((text) => text.slice(0, 500).toWellFormed());

const usually = <T, U>(arbitrary: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: other });

export type Headers = Record<string, string | undefined>;

export interface World {
  ids: Ids;
  references: readonly string[];
  callers: readonly Headers[];
  key: string;
}

const TYPES = ['application/json', 'text/plain', 'application/json; charset=x'];

export function questionsFor(
  route: KnownOperation,
  row: Pick<RouteRow, 'body' | 'file'>,
  { ids, references, callers, key }: World,
): fc.Arbitrary<Question> {
  const known = references.filter(isId);
  const paths = fc
    .record(Object.fromEntries(parametersOf(route.path).map((name) => [name, pathText])))
    .map((values) => fill(route.path, values as unknown as Ids));
  const headers = fc.record<Headers>(
    {
      authorization: fc.constant(key),
      'x-service-run-id': fc.oneof(fc.constantFrom(...known, ''), headerText),
      'idempotency-key': headerText,
      'x-correlation-id': headerText,
      'last-event-id': headerText,
      'content-type': fc.constantFrom(...TYPES),
    },
    { requiredKeys: [] },
  );
  const caller = fc.constantFrom<Headers>(...callers);
  const body = inputsFor(route.body, known, row.body?.(ids));
  const sent = body.map((value) => ({ body: JSON.stringify(value), headers: {} }));
  const file = fc.record({ name: junkText, contentType: headerText, content: junkText });
  const search = queriesFor(route.queries, known);
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

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const ODD_HEADERS: readonly Headers[] = [
  { 'content-type': 'application/json;;' },
  { 'content-type': 'application/json, text/plain' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/merge-patch+json' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, gzip' },
  { accept: 'text/csv' },
  { accept: 'application/x-ndjson' },
  { accept: 'text/event-stream' },
  { accept: '*/*;q=0' },
  { 'accept-encoding': 'br;q=1, *;q=0' },
  { 'if-none-match': '*' },
  { 'if-match': '"x"' },
  { 'if-modified-since': 'yesterday' },
  { range: 'bytes=5-2,-1' },
  { range: 'bytes=0-0' },
  { prefer: 'wait=99999999999, return=minimal' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '1.2.3.4, nonsense' },
  { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'evil.example' },
  { traceparent: '00-00000000000000000000000000000000-0000000000000000-ff' },
  { traceparent: 'x'.repeat(300) },
  { cookie: '__Host-service.sid=s%3A%ff; a=b; =; ;;' },
  { authorization: 'Bearer' },
  { authorization: 'Basic Og==' },
  { authorization: `Bearer ${'x'.repeat(5_000)}` },
  { 'x-http-method-override': 'DELETE' },
];

const ODD_SEARCHES = [
  '?',
  '?&&=&',
  '?%',
  '?%ff',
  '?a[b]=1&a[c]=2',
  '?limit=1&limit=2',
  '?__proto__=1',
];

type Change = (question: Question) => Question;

const cut =
  (share: number): Change =>
  (question) =>
    typeof question.body === 'string'
      ? { ...question, body: question.body.slice(0, Math.floor(question.body.length * share)) }
      : question;

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(...METHODS).map(
    (method): Change =>
      ({ path, headers, body }) => ({
        method,
        path,
        headers,
        ...(method !== 'GET' && method !== 'HEAD' && { body }),
      }),
  ),
  fc.constantFrom(...ODD_HEADERS).map(
    (odd): Change =>
      (question) => ({ ...question, headers: { ...question.headers, ...odd } }),
  ),
  fc.tuple(fc.stringMatching(/^[a-z][a-z-]{0,20}$/), headerText).map(
    ([name, text]): Change =>
      (question) => ({ ...question, headers: { [`x-${name}`]: text, ...question.headers } }),
  ),
  fc.constantFrom(...ODD_SEARCHES).map(
    (odd): Change =>
      (question) => ({ ...question, path: question.path + odd }),
  ),
  fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }).map(cut),
  fc.uint8Array({ maxLength: 60 }).map(
    (body): Change =>
      (question) =>
        question.method === 'GET' ? question : { ...question, body },
  ),
);

export const oddly = (questions: fc.Arbitrary<Question>): fc.Arbitrary<Question> =>
  fc.oneof(
    { weight: 7, arbitrary: questions },
    { weight: 1, arbitrary: fc.tuple(questions, changes).map(([one, change]) => change(one)) },
  );
