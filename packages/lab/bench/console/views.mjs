import { between } from '../shared/machine.mjs';
import { percentile } from '../shared/measure.mjs';
import { fixed } from '../shared/table.mjs';
import { openContext, openGauges, readLook } from './browser.mjs';

const viewsOf = (known) => ({
  'needs you': '',
  overview: '/overview',
  issues: '/issues',
  'issues, searched for a word': '/issues?q=hundredth7',
  board: '/issues?view=board',
  'board, searched for a word': '/issues?view=board&q=half1',
  'issue with a hundred thousand comments': '/issues/BEN-1',
  issue: '/issues/BEN-4242',
  runs: '/runs',
  'runs, failed': '/runs?status=failed',
  'run with a log of 50 MB': `/runs/${known.run}`,
  agents: '/agents',
  agent: `/agents/${known.bigAgent}`,
  org: '/org',
  routines: '/routines',
  approvals: '/approvals',
  goals: '/goals',
  projects: '/projects',
  project: `/projects/${known.bigProject}`,
  costs: '/costs',
  secrets: '/secrets',
  activity: '/activity',
  search: '/search?q=thousandth77',
  settings: '/settings',
});

export async function measureViews({ browser, product, known, machine, report, options }) {
  const views = Object.entries(viewsOf(known)).filter(([title]) => title.startsWith(options.only));
  if (views.length === 0) return;
  const found = new Map(views.map(([title]) => [title, []]));
  const context = await openContext(browser, product.url);
  await visit(context, views, () => undefined, machine, product);
  const before = machine.read(product.pids);
  for (let round = 0; round < options.rounds; round++) {
    const note = (title, look) => found.get(title).push(look);
    await visit(context, shuffled(views), note, machine, product);
  }
  const { foreign } = between(before, machine.read(product.pids));
  await context.close();
  report.head([
    'screen',
    'p50 / p95 ms to its data',
    'slowest answer, p50 / p95 ms',
    'answers',
    'CPU ms: page + service + PostgreSQL',
  ]);
  for (const [title, looks] of found) {
    const times = (key) =>
      [0.5, 0.95]
        .map((share) =>
          fixed(
            percentile(
              looks.map((look) => look[key]),
              share,
            ),
          ),
        )
        .join(' / ');
    const cost = (key) =>
      fixed(
        percentile(
          looks.map((look) => look[key]),
          0.5,
        ),
      );
    report.row([
      title,
      times('ms'),
      times('slowest'),
      cost('asked'),
      `${cost('page')} + ${cost('service')} + ${cost('database')}`,
    ]);
  }
  report.note(
    `${options.rounds} looks at each; other programs took ${Math.round(foreign * 100)} % of the machine.`,
  );
}

async function visit(context, views, note, machine, product) {
  const page = await context.newPage();
  await page.goto('/account');
  await page.locator('h1').waitFor();
  const gauges = await openGauges(page);
  await open(page, '/BEN/people');
  for (const [title, path] of views) {
    const [taskMs, spent] = [await gauges.taskMs(), machine.read(product.pids)];
    const look = await open(page, `/BEN${path}`).catch((error) => console.error(error.message));
    if (!look) continue;
    const { service, database } = between(spent, machine.read(product.pids));
    note(title, { ...look, page: (await gauges.taskMs()) - taskMs, service, database });
  }
  await page.close();
}

async function open(page, path) {
  await page.evaluate(`startLook(); history.pushState({}, '', ${JSON.stringify(path)})`);
  return readLook(page);
}

const shuffled = (values) =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
