import { stepsOf } from './timeline';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
const run = (fields: Record<string, unknown>) =>
  ({
    wakes: [{ at: at(0) }],
    createdAt: at(0),
    notBefore: null,
    startedAt: null,
    finishedAt: null,
    ...fields,
  }) as never;

describe('stepsOf', () => {
  it.each([
    ['waits', {}, ['queued', 'waiting']],
    ['runs', { startedAt: at(4) }, ['queued', 'started', 'running']],
    ['has ended', { startedAt: at(4), finishedAt: at(9) }, ['queued', 'started', 'ended']],
    ['was cancelled while it waited', { finishedAt: at(9) }, ['queued', 'ended']],
    [
      'was delayed',
      { notBefore: at(5), startedAt: at(6), finishedAt: at(9) },
      ['queued', 'notBefore', 'started', 'ended'],
    ],
    ['joined an earlier wake', { createdAt: at(3) }, ['woken', 'queued', 'waiting']],
  ])('returns the steps of a run that %s', (_name, fields, names) => {
    expect(stepsOf(run(fields)).map(({ name }) => name)).toEqual(names);
  });
});
