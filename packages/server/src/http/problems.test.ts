import { z } from 'zod';
import { check } from './problems';

const problemsOf = (schema: z.ZodType, value: unknown) => {
  const checked = check(schema, value);
  return 'problems' in checked
    ? checked.problems.map(({ path, message }) => `${path.join('.')} ${message}`.trim())
    : [];
};

describe('check', () => {
  const PROBLEMS: [z.ZodType, unknown, string][] = [
    [z.object({ a: z.string() }), {}, 'a is required'],
    [z.object({ a: z.enum(['x', 'y']) }), {}, 'a is required'],
    [z.object({ a: z.string().optional() }).required(), {}, 'a is required'],
    [z.string(), null, 'must be a string'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.int().min(1), 0, 'must be at least 1'],
    [z.number().gt(1), 1, 'must be more than 1'],
    [z.number().lt(1), 1, 'must be less than 1'],
    [z.int().max(9), 10, 'must be at most 9'],
    [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(12), 'x', 'must have at least 12 characters'],
    [z.string().length(2), 'x', 'must have exactly 2 characters'],
    [z.array(z.int()).max(1), [1, 2], 'must have at most 1 entries'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.literal('a'), 'c', "must be 'a'"],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.uuid(), 'x', 'must be an id (a UUID)'],
    [z.iso.date(), 'x', 'must be a date such as 2026-01-31'],
    [z.iso.datetime(), 'x', 'must be a date and time such as 2026-01-31T09:00:00Z'],
    [z.email(), 'x', 'must be an e-mail address'],
    [z.url(), 'x', 'must be a URL'],
    [z.string().regex(/^a$/), 'x', 'must match /^a$/'],
    [z.strictObject({}), { b: 1 }, 'b unknown field'],
    [
      z.record(z.string().regex(/^a/, 'must begin with a'), z.int()),
      { b: 1 },
      'b must begin with a',
    ],
    [z.union([z.string(), z.int()]), true, 'must be a string, or a number'],
    [z.union([z.string().max(1), z.int()]), 'xx', 'must have at most 1 characters'],
    [z.union([z.literal('latest'), z.int().min(1)]), 'newest', "must be 'latest', or a number"],
    [z.union([z.literal('latest'), z.int().min(1)]), 0, 'must be at least 1'],
    [z.custom(() => false), 1, 'is not valid'],
  ];

  it.each(PROBLEMS.map(([schema, value, message]) => [message, schema, value] as const))(
    'describes a problem as “%s”',
    (message, schema, value) => {
      expect(problemsOf(schema, value)).toEqual([message]);
    },
  );

  const reference = z.strictObject({
    type: z.literal('ref'),
    id: z.uuid(),
    at: z.int().default(1),
  });
  const value = z.union([z.string(), reference]);

  it('lists the allowed alternatives for a value that matches no alternative', () => {
    const forms = "must be a string, or { type: 'ref', id, at? }";
    expect(problemsOf(value, 5)).toEqual([forms]);
    expect(problemsOf(value, { type: 'plain' })).toEqual([forms]);
    expect(problemsOf(value, {})).toEqual([forms]);
  });

  it('reports the invalid fields of the only alternative that the value resembles', () => {
    expect(problemsOf(z.object({ a: value }), { a: { type: 'ref', id: 'x', b: 1 } })).toEqual([
      'a.id must be an id (a UUID)',
      'a.b unknown field',
    ]);
  });

  it.each([
    ['blockedBy', 'ACM-1', 'the id in GET /api/issues/ACM-1'],
    ['parentId', 'acm-1', 'the id in GET /api/issues/acm-1'],
    ['issueIds', 'the first', 'the id in GET /api/issues/ACM-42, for the issue ACM-42'],
    ['assigneeAgentId', 'me', 'your own is the id in GET /api/agents/me'],
    ['reportsTo', 'A & B', 'the id in GET /api/companies/{companyId}/agents?name=A%20%26%20B'],
    ['agentId', 'x'.repeat(51), 'the id in GET /api/companies/{companyId}/agents?name=…'],
    ['projectId', 'Website', 'one of GET /api/companies/{companyId}/projects'],
  ])('given %s with the value %s, explains where to find the right id', (field, value, place) => {
    const words = `must be an id (a UUID): ${place}`;
    expect(problemsOf(z.object({ [field]: z.uuid() }), { [field]: value })).toEqual([
      `${field} ${words}`,
    ]);
    expect(problemsOf(z.object({ [field]: z.array(z.uuid()) }), { [field]: [value] })).toEqual([
      `${field}.0 ${words}`,
    ]);
    expect(
      problemsOf(z.object({ [field]: z.uuid().nullable().optional() }), { [field]: value }),
    ).toEqual([`${field} ${words}`]);
  });

  it('prefers a message that the schema defines', () => {
    expect(problemsOf(z.string().min(1, 'say something'), '')).toEqual(['say something']);
    expect(problemsOf(z.string('must be text'), undefined)).toEqual(['must be text']);
  });

  it('returns at most 50 problems', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 1]));
    expect(problemsOf(z.strictObject({}), many)).toHaveLength(50);
    expect(problemsOf(z.array(z.string()), Object.values(many))).toHaveLength(50);
  });
});
