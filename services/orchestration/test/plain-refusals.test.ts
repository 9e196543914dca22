import { check } from '@switchyard/server';
import { openAsker, type Question } from './ask';
import { useHarness } from './harness';
import type { JsonSchema } from './junk';
import { document, type KnownOperation, lookRoutes, operationsOf } from './operations';
import { SECURITY_TABLE } from './security-table';
import { buildSide, fill, type Side } from './world';

const JARGON =
  /Invalid (?:input|option|string|number|key|value|discriminator|UUID|ISO|email|URL)|\bexpected\b|\breceived\b|Unrecognized|Too (?:small|big)|nonoptional|discriminator|is not valid|of the type/;

const WRONG: unknown[] = [null, true, 5, -1, 1.5, 1e300, '', ' ', 'x', 'x'.repeat(300_000)];
const WRONG_SHAPES: unknown[] = [[], [5], ['x'], [{}], {}, { type: 'plain' }, { x: { y: 1 } }];

const fieldsOf = (schema: JsonSchema | undefined): string[] => [
  ...Object.keys(schema?.properties ?? {}),
  ...[...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])].flatMap(fieldsOf),
];

const wordsOf = (schema: JsonSchema | undefined): object[] =>
  [...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])].map((form) =>
    Object.fromEntries(
      Object.entries(form.properties ?? {})
        .filter(([, { const: word }]) => word !== undefined)
        .map(([name, { const: word }]) => [name, word]),
    ),
  );

const OPERATIONS = operationsOf(document()).map((operation): [string, KnownOperation] => [
  `${operation.method} ${operation.path}`,
  operation,
]);
const ROUTES = new Map(lookRoutes().map((route) => [`${route.method} ${route.path}`, route]));

describe('validation messages', () => {
  const harness = useHarness();
  let asker: ReturnType<typeof openAsker>;
  let side: Side;
  let key: string;
  beforeAll(async () => {
    side = await buildSide(harness);
    key = await harness.build.apiKey(side.agent.id);
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  const messagesOf = (body: unknown): string[] => {
    const { error, details } = body as { error: string; details?: unknown };
    const problems = Array.isArray(details) ? details : [];
    return [error, ...problems.map(({ message }) => message as string)];
  };

  const questionsFor = ({ method, body, queries, path: template }: KnownOperation): Question[] => {
    const path = fill(template, side.ids);
    const asked = [
      'no-such-name=1',
      ...Object.keys(queries).flatMap((name) =>
        ['', 'x', '-1', '99999999', 'x'.repeat(600)].map(
          (value) => `${name}=${value}&no-such-name=1`,
        ),
      ),
    ];
    const reads = asked.map((query) => ({ method, path: `${path}?${query}` }));
    if (method === 'GET') return reads;
    const unknown = { 'no such field': true };
    const bodies = [
      unknown,
      ...wordsOf(body).map((words) => ({ ...words, ...unknown })),
      ...fieldsOf(body).flatMap((name) =>
        [null, 5, 'x', {}].map((value) => ({ [name]: value, ...unknown })),
      ),
    ];
    const roots = body ? [[], null, 'text', 5] : [];
    return [
      ...reads,
      ...[...bodies, ...roots].map((sent) => ({ method, path, body: JSON.stringify(sent) })),
    ];
  };

  it.each(OPERATIONS)('contain no jargon for typical mistakes (%s)', async (name, operation) => {
    const row = SECURITY_TABLE[name];
    const isRunners = row?.access === 'runner';
    const ofAgent = row?.access === 'agent' ? key : undefined;
    const authorization = isRunners ? `Bearer ${side.runnerToken}` : ofAgent;
    const ticket = isRunners ? 'x'.repeat(43) : undefined;
    const route = ROUTES.get(name);
    for (const question of questionsFor(operation)) {
      const headers = {
        authorization,
        'x-run-ticket': ticket,
        'content-type': 'application/json',
      };
      const { status, body } = await asker.ask({ ...question, headers });
      if (!route || route.rawBody || route.read) continue;
      expect({ question: question.path, body: question.body, status }).toMatchObject({
        status: 400,
      });
      for (const message of messagesOf(body)) expect(message).not.toMatch(JARGON);
      if (question.path.endsWith('?no-such-name=1')) {
        const known = Object.keys(operation.queries);
        const rest =
          known.length > 0
            ? `known: ${known.join(', ')}`
            : 'this route accepts no query parameters';
        expect((body as { error: string }).error).toBe(
          `unknown query parameter no-such-name; ${rest}`,
        );
      }
    }
  });

  it.each(OPERATIONS)('contain no jargon for arbitrary input (%s)', (name, operation) => {
    const schema = ROUTES.get(name)?.body;
    if (!schema) return;
    const example = SECURITY_TABLE[name]?.body?.(side.ids) ?? {};
    const sent = [
      ...WRONG,
      ...WRONG_SHAPES,
      ...wordsOf(operation.body),
      ...fieldsOf(operation.body).flatMap((field) =>
        [undefined, ...WRONG, ...WRONG_SHAPES].map((value) => ({ ...example, [field]: value })),
      ),
    ];
    for (const value of sent) {
      const checked = check(schema, value);
      if ('data' in checked) continue;
      for (const { message } of checked.problems) {
        expect(message).not.toMatch(JARGON);
      }
    }
  });

  it.each(Object.entries({ process: 'command', http: 'url', model_a_local: 'model' }))(
    'contain no jargon for the configuration of the adapter %s',
    (type, field) => {
      const adapter = harness.context.adapters.get(type);
      if (!adapter) return;
      const wrong = [...WRONG, ...WRONG_SHAPES];
      const names = [field, 'args', 'cwd', 'env', 'headers', 'method', 'timeoutSec', 'extraArgs'];
      const sent = [
        ...wrong,
        ...names.flatMap((name) => wrong.map((value) => ({ [name]: value }))),
        ...wrong.map((value) => ({ env: { NAME: value } })),
        ...['1X', 'SERVICE_X', 'A B'].map((name) => ({ env: { [name]: 'x' } })),
      ];
      for (const value of sent) {
        const checked = check(adapter.configSchema, value);
        const problems = 'problems' in checked ? checked.problems : [];
        for (const { message } of problems) expect(message).not.toMatch(JARGON);
      }
    },
  );

  it.each([
    [{}, 'name is required'],
    [{ name: 'x', adapterType: 5 }, 'adapterType: must be a string'],
    [{ name: '', adapterType: 'process' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(201), adapterType: 'process' }, 'name: must have at most 200 characters'],
    [
      { name: 'x', adapterType: 'process', reportsTo: 'Grace Hopper' },
      'reportsTo: must be an id (a UUID): the id in GET /api/companies/{companyId}/agents?name=Grace%20Hopper',
    ],
    [{ name: 'x', adapterType: 'process', typo: 1 }, 'typo: unknown field'],
    [
      { name: 'x', adapterType: 'process', maxConcurrentRuns: 0 },
      'maxConcurrentRuns: must be at least 1',
    ],
    [
      { name: 'x', adapterType: 'process', maxConcurrentRuns: 1.5 },
      'maxConcurrentRuns: must be a whole number',
    ],
    [
      { name: 'x', adapterType: 'process', wakeOnAssignment: 'yes' },
      'wakeOnAssignment: must be true or false',
    ],
    [[], 'the body must be an object'],
  ])('name the field and the rule for an agent with %j: %s', async (sent, error) => {
    const path = `/api/companies/${side.ids.companyId}/agents`;
    const { body } = await harness.api
      .post(path)
      .send(sent as object)
      .expect(400);
    expect(body.error).toBe(error);
  });

  it.each([
    [
      { A: 5 },
      "adapterConfig.env.A: must be a string, or { type: 'secret_ref', secretId, version? }",
    ],
    [
      { A: { type: 'plain', value: 'x' } },
      "adapterConfig.env.A: must be a string, or { type: 'secret_ref', secretId, version? }",
    ],
    [{ A: { type: 'secret_ref' } }, 'adapterConfig.env.A.secretId is required'],
    [
      { A: { type: 'secret_ref', secretId: 'x' } },
      'adapterConfig.env.A.secretId: must be an id (a UUID): one of GET /api/companies/{companyId}/secrets',
    ],
    [{ 'A B': 'x' }, 'adapterConfig.env.A B: must be a name of letters, digits and underscores'],
  ])('name the field and the rule for a variable with %j: %s', async (env, error) => {
    const path = `/api/companies/${side.ids.companyId}/agents`;
    const adapterConfig = { command: 'true', env };
    const sent = { name: 'x', adapterType: 'process', adapterConfig };
    const { body } = await harness.api.post(path).send(sent).expect(400);
    expect(body.error).toBe(error);
  });

  it('list the kinds for a trigger whose kind is missing or unknown', async () => {
    const path = `/api/routines/${side.ids.routineId}/triggers`;
    const send = async (sent: object) => (await harness.api.post(path).send(sent).expect(400)).body;
    expect((await send({})).error).toBe('kind is required: one of schedule, webhook, api');
    expect((await send({ kind: 'x' })).error).toBe('kind: must be one of schedule, webhook, api');
  });

  it('match JARGON if they come from the schema library, which proves that the tests above can fail', () => {
    expect('Invalid input: expected string, received undefined').toMatch(JARGON);
    expect('Too big: expected string to have <=200 characters').toMatch(JARGON);
    expect('name is required').not.toMatch(JARGON);
  });
});
