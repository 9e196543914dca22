// @ts-check
// Regenerates docs/console from a running console in local mode, with a company that has content:
// node services/orchestration/test/browser/take-screenshots.mjs http://127.0.0.1:3100 DMC [page …]
// Needs Chromium (CHROMIUM, or /usr/bin/chromium) and pngquant, which reduces a picture to a
// quarter of its size.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [address = 'http://127.0.0.1:3100', prefix = 'DMC', ...wanted] = process.argv.slice(2);
const folder = path.resolve(import.meta.dirname, '../../../../docs/console');
const KINDS = {
  light: { viewport: { width: 1280, height: 720 }, colorScheme: 'light', deviceScaleFactor: 0.75 },
  dark: { viewport: { width: 1280, height: 720 }, colorScheme: 'dark', deviceScaleFactor: 0.75 },
  phone: { viewport: { width: 390, height: 760 }, colorScheme: 'light', deviceScaleFactor: 1 },
};
const ON_THE_SHEET = ['needs-you', 'issue', 'run', 'overview'];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
mkdirSync(folder, { recursive: true });
for (const [kind, look] of Object.entries(KINDS)) await takeAll(kind, look);
await composeSheet();
await browser.close();

/** @param {string} kind @param {any} look */
async function takeAll(kind, look) {
  const context = await browser.newContext({ ...look, locale: 'en', reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const [name, at] of Object.entries(await pages())) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (kind !== 'light' && !ON_THE_SHEET.includes(name)) continue;
    await page.goto(address + at);
    await settle(page);
    await save(`${name}-${kind}`, await page.screenshot());
  }
  await context.close();
}

async function pages() {
  const company = (await get('/companies')).find((each) => each.issuePrefix === prefix);
  if (!company) throw new Error(`no company has the prefix ${prefix}`);
  /** @param {string} list */
  const of = (list) => get(`/companies/${company.id}/${list}`);
  const runs = await of('heartbeat-runs');
  const run = runs.find((each) => each.status === 'running') ?? runs[0];
  const [agent, approval, project, routine] = await Promise.all([
    of('agents').then((all) => all.find(({ id }) => id === run?.agentId) ?? all[0]),
    of('approvals').then((all) => all.find(({ type }) => type === 'board_question') ?? all[0]),
    of('projects').then(([first]) => first),
    of('routines').then(([first]) => first),
  ]);
  const issue = runs.find((each) => each.issue && each.status === 'succeeded')?.issue ?? run?.issue;
  const at = `/${prefix}`;
  return {
    'needs-you': at,
    overview: `${at}/overview`,
    board: `${at}/issues?view=board`,
    issues: `${at}/issues?view=list`,
    ...(issue && { issue: `${at}/issues/${issue.identifier}` }),
    runs: `${at}/runs`,
    ...(run && { run: `${at}/runs/${run.id}` }),
    agents: `${at}/agents`,
    ...(agent && { agent: `${at}/agents/${agent.id}` }),
    org: `${at}/org`,
    routines: `${at}/routines`,
    ...(routine && { routine: `${at}/routines/${routine.id}` }),
    approvals: `${at}/approvals`,
    ...(approval && { approval: `${at}/approvals/${approval.id}` }),
    goals: `${at}/goals`,
    projects: `${at}/projects`,
    ...(project && { project: `${at}/projects/${project.id}` }),
    costs: `${at}/costs`,
    secrets: `${at}/secrets`,
    activity: `${at}/activity`,
    search: `${at}/search?q=booking`,
    settings: `${at}/settings`,
    start: '/start',
  };
}

/** @param {string} at @returns {Promise<any[]>} */
async function get(at) {
  const response = await fetch(`${address}/api${at}`);
  return response.json();
}

/** @param {import('playwright-core').Page} page */
async function settle(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('load');
  await page.waitForTimeout(700);
}

/** @param {string} name @param {Buffer} picture @param {number} colours */
async function save(name, picture, colours = 48) {
  const input = ['--speed', '1', '--nofs', String(colours), '-'];
  const small = execFileSync('pngquant', input, { input: picture, maxBuffer: 1e8 });
  writeFileSync(path.join(folder, `${name}.png`), small);
}

async function composeSheet() {
  const page = await browser.newPage({ viewport: { width: 1600, height: 908 } });
  const pictures = ON_THE_SHEET.map((name, at) => {
    const file = path.join(folder, `${name}-${at % 3 === 0 ? 'light' : 'dark'}.png`);
    return `<img src="data:image/png;base64,${readFileSync(file).toString('base64')}">`;
  });
  await page.setContent(
    `<style>body{margin:0;padding:4px;background:#8b8f9a;display:grid;grid-template-columns:1fr 1fr;gap:4px}img{width:100%;display:block}</style>${pictures.join('')}`,
  );
  await save('sheet', await page.screenshot(), 64);
}
