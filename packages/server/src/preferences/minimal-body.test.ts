import { minimalBody, prefersMinimal } from './minimal-body';

describe('prefersMinimal', () => {
  it.each([
    ['POST', 'return=minimal', true],
    ['PATCH', 'respond-async, return="minimal"', true],
    ['PUT', 'Return = minimal; wait=10', true],
    ['POST', 'return=representation', false],
    ['POST', 'return=minimalistic', false],
    ['POST', undefined, false],
    ['GET', 'return=minimal', false],
  ])('given %s with Prefer: %s, returns %p', (method, prefer, expected) => {
    expect(prefersMinimal({ method, headers: { prefer } as never })).toBe(expected);
  });
});

describe('minimalBody', () => {
  it('returns id, identifier and status, and secrets that cannot be read later', () => {
    const body = { id: 'i', identifier: 'ACM-1', status: 'todo', title: 'Long', goalId: null };
    expect(minimalBody({ ...body, woken: [], secret: 's' })).toEqual({
      ...{ id: 'i', identifier: 'ACM-1', status: 'todo', secret: 's' },
    });
  });

  it('reduces a comment to its id and mentions', () => {
    const mentions = [{ agentId: 'a', outcome: 'woken' }];
    const comment = { id: 'c', body: 'Long', mentions, woken: [] };
    expect(minimalBody({ id: 'i', comment })).toEqual({ id: 'i', comment: { id: 'c', mentions } });
  });

  it.each([[null], [[{ id: 'i' }]], [{ count: 3 }], ['text'], [undefined]])(
    'returns null for %j',
    (body) => {
      expect(minimalBody(body)).toBeNull();
    },
  );
});
