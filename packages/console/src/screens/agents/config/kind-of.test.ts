import { kindOf } from './kind-of';

const secret = {
  type: 'object',
  properties: { type: { type: 'string', const: 'secret_ref' }, secretId: { type: 'string' } },
};

describe('kindOf', () => {
  it.each([
    ['text', { type: 'string', maxLength: 4096 }],
    ['longText', { type: 'string', maxLength: 100_000 }],
    ['choice', { type: 'string', enum: ['POST', 'PUT'] }],
    ['number', { type: 'number', minimum: 1 }],
    ['number', { type: 'integer' }],
    ['switch', { type: 'boolean' }],
    ['list', { type: 'array', items: { type: 'string' } }],
    ['pairs', { type: 'object', additionalProperties: { type: 'string' } }],
    [
      'environment',
      { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, secret] } },
    ],
    ['secret', secret],
    ['json', { type: 'array', items: { type: 'object' } }],
    ['json', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['json', {}],
  ])('returns %s for %j', (kind, schema) => {
    expect(kindOf(schema)).toBe(kind);
  });
});
