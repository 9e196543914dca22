import { openNudges } from '@switchyard/queue';
import { until } from '@switchyard/testing';
import { useHarness } from '../../../test/harness';
import { openRunnerNews } from './runner-news';

describe('openRunnerNews', () => {
  const harness = useHarness();

  it('notifies a waiting call when this or another process reports a free slot', async () => {
    const { config, context } = harness;
    const nudges = openNudges(context.queues, config.redisPrefix);
    const here = openRunnerNews(nudges);
    const elsewhere = openRunnerNews(nudges);
    let freed = 0;
    const call = { onNews: () => undefined, onFreed: () => void freed++, end: () => undefined };
    const joined = here.join('a runner', call);
    here.free('a runner');
    expect(freed).toBe(1);
    await until('news from elsewhere', () => {
      elsewhere.free('a runner');
      return freed > 1;
    });
    joined.leave();
    here.close();
    elsewhere.close();
  });
});
