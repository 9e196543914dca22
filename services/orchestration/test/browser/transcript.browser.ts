import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessibilityFaults } from './accessibility';
import { settled } from './settled';
import { lookAt, takePicture, useConsole } from './use-console';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-transcript-'));
const standIn = join(folder, 'claude');
const signal = join(folder, 'continue');

const STAND_IN = `#!${process.execPath}
const fs = require('node:fs');
const print = (line) => console.log(typeof line === 'string' ? line : JSON.stringify(line));
const message = (type, ...content) => print({ type, message: { content } });
const say = (text) => message('assistant', { type: 'text', text });
const call = (id, name, input) => message('assistant', { type: 'tool_use', id, name, input });
const result = (id, content, is_error) =>
  message('user', { type: 'tool_result', tool_use_id: id, content, is_error });
const end = (result, is_error = false) =>
  print({ type: 'result', subtype: 'success', num_turns: 1, result, is_error, total_cost_usd: 0.25,
    modelUsage: { 'claude-sonnet-4-5': { inputTokens: 1000, outputTokens: 200, costUSD: 0.25 } } });
const signalled = async () => {
  while (!fs.existsSync(${JSON.stringify(signal)})) await new Promise((done) => setTimeout(done, 50));
};
fs.readFileSync(0);
print({ type: 'system', subtype: 'init', session_id: 'one', model: 'claude-sonnet-4-5' });
(async () => { await eval('(async () => {' + process.env.FAKE_PROGRAM + '})()'); })();
`;

const HOSTILE = '<img src=x onerror=window.__ran=1>';

const WORK = `
say('I read the **budget** first.\\n\\n- ${HOSTILE}\\n- [x](javascript:window.__ran=1)');
call('a', 'Read', { file_path: 'src/budget.ts' });
call('b', 'Bash', { command: 'npm test' });
result('b', '\\u001b[31m1 failed\\u001b[0m\\n${HOSTILE}', true);
await signalled();
result('a', 'export const BUDGET = 1;');
call('c', 'Edit', { file_path: 'src/budget.ts', old_string: 'BUDGET = 1', new_string: 'BUDGET = 2' });
result('c', '');
print('an odd line ${HOSTILE}');
say('The budget is **2** now.');
end('The budget is **2** now.');
`;

const LONG = `
for (let at = 1; at <= 3000; at += 1) {
  call('c' + at, 'Grep', { pattern: 'needle ' + at });
  result('c' + at, 'match ' + at + ' in a file whose name is long enough to fill the log\\nand more');
}
say('I looked at all of them.');
end('no credit', true);
`;

describe('runs of coding agents in the console', () => {
  const console = useConsole({
    runnerEnvironment: { CLAUDE_CODE_COMMAND: standIn, SANDBOX: 'off' },
  });

  beforeAll(() => writeFileSync(standIn, STAND_IN, { mode: 0o755 }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(program: string) {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await build.agent({
      companyId: company.id,
      name: 'Ada',
      adapterType: 'claude_code',
      adapterConfig: { env: { FAKE_PROGRAM: program } },
    });
    const run = await build.queuedRun(agent.id, { reason: 'Raise the budget' });
    return `/${company.issuePrefix}/runs/${run.id}`;
  }

  it('show messages, folded calls and the log while the run works', async () => {
    const path = await start(WORK);
    const { page } = await console.open(path);
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await transcript.locator('strong', { hasText: 'budget' }).waitFor();
    await transcript.getByRole('button', { name: /^Read src\/budget.ts Running/ }).waitFor();
    const tests = transcript.getByRole('button', { name: /^npm test Failed/ });
    await tests.focus();
    await page.keyboard.press('Enter');
    await transcript.getByRole('region', { name: 'Output' }).getByText(HOSTILE).waitFor();
    expect(await transcript.getByText('1 failed').getAttribute('class')).toBe('ansi-red');
    expect(await accessibilityFaults(page)).toEqual([]);
    await tests.press('Enter');
    await transcript.getByRole('region', { name: 'Output' }).waitFor({ state: 'detached' });

    writeFileSync(signal, '');
    await transcript.getByRole('button', { name: /^Read src\/budget.ts Succeeded/ }).waitFor();
    await transcript.locator('strong', { hasText: '2' }).waitFor();
    await transcript.getByText('Usage claude-sonnet-4-5: 1000 tokens in').waitFor();
    await transcript.getByText(`[claude] an odd line ${HOSTILE}`).waitFor();
    await transcript.getByRole('button', { name: /^Edit src\/budget.ts/ }).click();
    await transcript
      .getByRole('region', { name: 'Changed lines' })
      .getByText('BUDGET = 2')
      .waitFor();
    await transcript.getByText('No output').waitFor();
    expect(await page.evaluate('window.__ran')).toBeUndefined();
    expect(await page.locator('main img, main a[href^=javascript]').count()).toBe(0);
    await takePicture(page, 'transcript-open');
    expect(await lookAt(console, path)).toEqual([]);

    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByText('[tool 2] $ npm test').waitFor();
    await page.reload();
    await page.getByText('[tool 2] $ npm test').waitFor();
    await page.getByRole('button', { name: 'Transcript' }).click();
    await transcript.locator('strong', { hasText: 'budget' }).waitFor();
  });

  it('show a long transcript in parts, and unfold the call that a search finds', async () => {
    const path = await start(LONG);
    const { page } = await console.open(path);
    await page.getByText('Failed').first().waitFor();
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await transcript.getByText('I looked at all of them.').waitFor();
    await transcript.getByText('Error no credit').waitFor();
    const rows = transcript.getByRole('listitem');
    expect(await rows.count()).toBeLessThan(80);

    await page.getByRole('button', { name: 'Go to start' }).click();
    await transcript.getByRole('button', { name: /^Grep needle 1 Succeeded/ }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search the log' });
    await search.fill('match 1500 in');
    await search.press('Enter');
    const found = transcript.locator('mark', { hasText: 'match 1500 in' });
    await found.waitFor();
    expect(await found.isVisible()).toBe(true);
    expect(await rows.count()).toBeLessThan(80);
    await takePicture(page, 'transcript-search');
  });

  it('differ from those of other agents, which offer no transcript', async () => {
    const { build } = console.harness;
    const company = await build.company();
    const agent = await build.agent({
      companyId: company.id,
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: ['-e', `console.log('[tool 1] $ ls')`] },
    });
    const run = await build.queuedRun(agent.id, {});
    const { page } = await console.open(`/${company.issuePrefix}/runs/${run.id}`);
    await page.getByText('[tool 1] $ ls').waitFor();
    await settled(page);
    expect(await page.getByRole('button', { name: 'Transcript' }).count()).toBe(0);
  });
});
