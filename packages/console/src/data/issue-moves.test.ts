import { moveFor, STATUSES } from './issue-moves';

describe('moveFor', () => {
  it.each([
    ['backlog', { todo: 'update', in_progress: 'checkout', done: 'complete', cancelled: 'update' }],
    ['todo', { backlog: 'update', in_progress: 'checkout', done: 'complete', cancelled: 'update' }],
    [
      'in_progress',
      {
        todo: 'release',
        in_review: 'update',
        blocked: 'update',
        done: 'complete',
        cancelled: 'update',
      },
    ],
    ['in_review', { in_progress: 'update', done: 'update', cancelled: 'update' }],
    ['blocked', { todo: 'update', in_progress: 'checkout', done: 'complete', cancelled: 'update' }],
    ['done', { todo: 'reopen' }],
    ['cancelled', { todo: 'reopen' }],
  ] as const)('returns the moves that the service allows from the status %s', (from, moves) => {
    const found = STATUSES.flatMap((to) => {
      const move = moveFor(from, to);
      return move ? [[to, move]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(moves);
  });
});
