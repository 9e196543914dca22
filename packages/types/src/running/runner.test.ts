import { runnerHelloBody } from './runner';

describe('runnerHelloBody.name', () => {
  const named = (name: string) => runnerHelloBody.shape.name.safeParse(name).success;

  it.each(['build-1', 'Büro 3', 'x'.repeat(100)])('accepts %s', (name) => {
    expect(named(name)).toBe(true);
  });

  it.each(['', 'x'.repeat(101), 'a\nb', 'a\u001b[31m', 'build\u200b-1', 'build\u202e-1'])(
    'rejects %j',
    (name) => {
      expect(named(name)).toBe(false);
    },
  );
});
