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
  ])('%s with Prefer: %s is %p', (method, prefer, expected) => {
    expect(prefersMinimal({ method, headers: { prefer } as never })).toBe(expected);
  });
});

describe('minimalBody', () => {
  it('keeps what the caller needs next and what is shown once', () => {
    const body = { id: 'i', identifier: 'ACM-1', status: 'todo', title: 'Long', goalId: null };
    expect(minimalBody({ ...body, woken: [], secret: 's' })).toEqual({
      ...{ id: 'i', identifier: 'ACM-1', status: 'todo', secret: 's' },
    });
  });

  it.each([[null], [[{ id: 'i' }]], [{ count: 3 }], ['text'], [undefined]])(
    'leaves %j as it is',
    (body) => {
      expect(minimalBody(body)).toBeNull();
    },
  );
});
