import { Agent } from 'node:http';
import { lazyAgent } from './agents';

describe('lazyAgent()', () => {
  it('creates the agent once for concurrent callers', async () => {
    let opened = 0;
    const lazy = lazyAgent(() => {
      opened++;
      return new Agent();
    });
    const [one, other] = await Promise.all([lazy.get(), lazy.get()]);
    expect(one).toBe(other);
    expect(opened).toBe(1);
    lazy.close();
  });

  it('creates the agent again after a failure', async () => {
    const failures = [new Error('too many open files')];
    const lazy = lazyAgent(() => {
      const failure = failures.pop();
      if (failure) throw failure;
      return new Agent();
    });
    await expect(lazy.get()).rejects.toThrow('too many open files');
    expect(await lazy.get()).toBeInstanceOf(Agent);
    lazy.close();
  });
});
