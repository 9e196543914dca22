import { inOrder, type ThreadEntry } from './thread';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const comment = (id: string, minute: number) =>
  ({ kind: 'comment', id, at: at(minute) }) as ThreadEntry;
const run = (id: string, minute: number, finished?: number) =>
  ({
    kind: 'run',
    id,
    at: at(minute),
    run: {
      status: finished === undefined ? 'running' : 'succeeded',
      finishedAt: finished === undefined ? null : at(finished),
    },
  }) as ThreadEntry;

describe('inOrder', () => {
  it('places an ended run at its end time, and live runs last', () => {
    const newestFirst = [
      comment('answer', 9),
      run('live', 8),
      comment('during the run', 4),
      run('ended', 2, 6),
      comment('request', 1),
    ];
    expect(inOrder(newestFirst).map(({ id }) => id)).toEqual([
      'request',
      'during the run',
      'ended',
      'answer',
      'live',
    ]);
  });

  it('returns entries of overlapping pages once, and keeps the order of entries with equal times', () => {
    const newestFirst = [comment('c', 2), comment('b', 2), comment('b', 2), comment('a', 1)];
    expect(inOrder(newestFirst).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});
