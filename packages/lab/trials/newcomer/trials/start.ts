import { openPage } from '../page';
import { begin, follow, type Trial } from '../trial';

const README = openPage('README.md');

export function startAndStory(trial: Trial): void {
  follow(
    README,
    '`npm start` installs, starts PostgreSQL and Redis unless you set your own',
    async () => {
      await begin(trial);
      for (const label of ['console', 'API reference', 'agent guide', 'metrics']) {
        const page = await fetch(trial.started.address(label));
        expect({ label, status: page.status }).toEqual({ label, status: 200 });
      }
    },
  );

  follow(README, 'paste this into a second terminal in the same folder', async () => {
    const story = README.block('API=http://127.0.0.1:3100/api');
    const address = trial.started.address('API');
    const printed = await trial.clone.paste(story.replace('http://127.0.0.1:3100/api', address));
    const [run, log, issue, comments, activity] = printed
      .trim()
      .split('\n')
      .slice(-5)
      .map((line) => JSON.parse(line));
    expect(run).toMatchObject({ status: 'succeeded', usage: { costCents: 7 } });
    expect(log.content).toContain('Handed in.');
    expect(issue).toMatchObject({ status: 'done' });
    expect(comments[0].body).toContain('Hello!');
    expect(activity.length).toBeGreaterThan(3);
  });

  follow(README, '`node examples/demo.mjs` does the same', async () => {
    expect(await trial.clone.paste('node examples/demo.mjs')).toMatch(/done/);
  });
}
