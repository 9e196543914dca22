import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '@switchyard/orchestration/test/browser/chromium';
import { freePort, until } from '@switchyard/testing';
import type { AgentDetailView, Finding, InboxItemView } from '@switchyard/types';
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core';
import { executeInReference, openContext, pressToSignIn, sessionOf } from '../browser';
import { callerOf } from '../caller';
import { openPage } from '../page';
import { begin, follow, newCompany, newIssue, place, send, type Trial } from '../trial';

const README = openPage('services/orchestration/README.md');
const CONTRACT = openPage('docs/contract.md');
const AGENTS = openPage('docs/agents/README.md');
const PYTHON = openPage('docs/agents/python.md');

const OWNER = { name: 'Olga', email: 'olga@example.com', password: 'correct horse battery' };
const VIEWER = { name: 'Vera', email: 'vera@example.com', password: 'staple battery horse' };

export function boardOperator(trial: Trial): void {
  let companyId: string;
  let agent: AgentDetailView;

  follow(
    CONTRACT,
    '`GET /api/companies/{companyId}/inbox` lists everything that needs a person',
    async (step) => {
      companyId = await newCompany(trial, 'Operated');
      agent = await trial.board.ask('POST', `/api/companies/${companyId}/agents`, {
        name: 'Ada',
        adapterType: 'process',
        adapterConfig: { command: 'no-such-program' },
      });
      const issueId = await newIssue(trial, companyId, { assigneeAgentId: agent.id });
      await trial.board.runFor(issueId, agent);
      await trial.board.ask('POST', `/api/agents/${agent.id}/check`, {});
      const inbox = () =>
        send<InboxItemView[]>(trial.board, step, { path: { '{companyId}': companyId } });
      const [item, ...others] = await inbox();
      expect(others).toEqual([]);
      expect(item).toMatchObject({ kind: 'failed_run' });
      expect(item?.reason).toMatch(/Last check: no-such-program/);
      const action = (name: string) => {
        const found = item?.actions.find((one) => one.name === name);
        if (!found) throw new Error(`no action ${name}`);
        return found;
      };
      const adapterConfig = { command: 'true' };
      const { method, path } = action('configure');
      await trial.board.ask(method, path, { adapterConfig });
      const again = await trial.board.ask('POST', action('retry').path, {});
      expect(await trial.board.ended(again.id as string)).toMatchObject({ status: 'succeeded' });
      expect((await inbox()).map(({ kind }) => kind)).toEqual(['agent_idle']);
    },
  );

  follow(README, "`printf '\\nAUTH_MODE=authenticated\\n' >> .env`, then `npm start`", async () => {
    await trial.started.stop();
    await appendFile(join(trial.clone.folder, '.env'), `API_PORT=${await freePort()}\n`);
    await trial.clone.paste("printf '\\nAUTH_MODE=authenticated\\n' >> .env");
    const refused = await trial.clone.start();
    expect(refused.isRunning).toBe(false);
    const commands = refused.printed().match(/printf .* >> \.env/g) ?? [];
    expect(commands).toHaveLength(4);
    await trial.clone.paste(commands.join('\n'));
  });

  let browser: Browser;
  let owner: BrowserContext;
  let invite: string;
  afterAll(() => browser?.close());

  follow(
    README,
    "The token is your `BOOTSTRAP_TOKEN`, or the log's line `bootstrap token: …`.",
    async () => {
      await begin(trial);
      const token = await until(
        'the token',
        () => /bootstrap token: (\S+)/.exec(trial.started.printed())?.[1],
      );
      browser = await launchChromium();
      owner = await openContext(browser);
      const tab = await owner.newPage();
      await tab.goto(trial.started.address('console'));
      await tab.getByText('First start?').click();
      await tab.getByLabel('Bootstrap token').fill(token);
      await fillAccount(tab, OWNER);
      await pressToSignIn(tab, 'Create first account');
      expect(await sessionOf(owner, trial.board.base)).toMatchObject({
        user: { email: OWNER.email },
      });
    },
  );

  follow(README, 'The first account owns the companies of local mode.', async () => {
    const { memberships } = await sessionOf(owner, trial.board.base);
    expect(memberships).toContainEqual(expect.objectContaining({ companyId, role: 'owner' }));
  });

  follow(
    README,
    'or with `POST /api/companies { "name": "Acme" }` on `/api/docs` in the same browser',
    async ({ method, path, body }) => {
      const tab = await owner.newPage();
      const answer = await executeInReference(tab, trial.board.base, { method, path, body });
      expect(answer).toMatchObject({ status: 201, body: { name: 'Acme' } });
    },
  );

  follow(
    README,
    '`POST /api/companies/{companyId}/invites { "role": "viewer" }`. Send the `url` in the response',
    async ({ method, path, body }) => {
      const tab = await owner.newPage();
      const asked = { method, path, body, parameters: { companyId } };
      const answer = await executeInReference(tab, trial.board.base, asked);
      expect(answer).toMatchObject({ status: 201, body: { role: 'viewer' } });
      invite = answer.body.url as string;
      const elsewhere = await openContext(browser);
      const guest = await elsewhere.newPage();
      await guest.goto(invite);
      await fillAccount(guest, VIEWER);
      await pressToSignIn(guest, 'Accept invite');
      const { memberships } = await sessionOf(elsewhere, trial.board.base);
      expect(memberships).toMatchObject([{ companyId, role: 'viewer' }]);
    },
  );

  follow(
    README,
    'To sign in with curl (`jar` is a session, so delete it afterwards):',
    async () => {
      const lines = README.text.split('\n').filter((line) => line.startsWith('    curl -'));
      const [signIn, found, make, use] = lines.map((line) => line.trim());
      const filled = signIn?.replace(
        '"email":"…","password":"…"',
        JSON.stringify({ email: OWNER.email, password: OWNER.password }).slice(1, -1),
      );
      const commands = [filled, found, `TOKEN=$(${make})`, 'echo; echo "$TOKEN"'].join('\n');
      const printed = await trial.clone.paste(commands, { PUBLIC_URL: trial.board.base });
      const { token } = JSON.parse(printed.trim().split('\n').at(-1) as string);
      const session = await trial.clone.paste(use?.replace('syp_…', token) as string, {
        PUBLIC_URL: trial.board.base,
      });
      expect(JSON.parse(session)).toMatchObject({
        credential: 'personal_token',
        mode: 'authenticated',
      });
      await trial.clone.paste('rm jar');
      trial.board = callerOf(trial.started.address('API'), token);
    },
  );

  follow(
    README,
    '`POST /api/agents/{agentId}/check` names the setting that prevents an agent from running',
    async (step) => {
      const check = () => send<Finding[]>(trial.board, step, { path: { '{agentId}': agent.id } });
      const problem = (await check()).find(({ level }) => level === 'error');
      expect(problem?.message).toContain('PROCESS_ADAPTER_COMMANDS');
    },
  );

  follow(AGENTS, 'Make the program itself executable (`#!/usr/bin/env python3`', async () => {
    const program = await place(trial, PYTHON, 'ada.py');
    const text = await readFile(program, 'utf8');
    await writeFile(program, `#!/usr/bin/env python3\n${text}`);
    await trial.clone.paste(`chmod +x ${program}`);
    const command = '{ "command": "/srv/agents/ada.py" }';
    const setting = 'PROCESS_ADAPTER_COMMANDS=/srv/agents/ada.py';
    expect(AGENTS.text).toContain(`\`${command}\`, \`${setting}\``);
    const filled = (words: string) => words.replace('/srv/agents/ada.py', program);
    await appendFile(join(trial.clone.folder, '.env'), `${filled(setting)}\n`);
    await trial.started.stop();
    trial.started = await trial.clone.start();
    const path = `/api/agents/${agent.id}`;
    const adapterConfig = JSON.parse(filled(command));
    const changed = await trial.board.ask('PATCH', path, { adapterConfig });
    expect(changed).toMatchObject({ warnings: [] });
    const issueId = await newIssue(trial, companyId, { assigneeAgentId: agent.id });
    expect(await trial.board.runFor(issueId, agent)).toMatchObject({ status: 'succeeded' });
    expect(await trial.board.thread(issueId)).toEqual(['I read "Say hello".']);
  });

  follow(AGENTS, 'where the board needs no credential', async () => {
    const stranger = callerOf(trial.started.address('API'));
    const { status, error } = await stranger.refusal('GET', '/api/companies');
    expect({ status, error }).toEqual({
      status: 401,
      error: expect.stringMatching(/^sign in first/),
    });
  });
}

async function fillAccount(tab: Tab, { name, email, password }: typeof OWNER): Promise<void> {
  const form = tab.locator('form:visible');
  await form.getByLabel(/^Name/).fill(name);
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel(/^Password/).fill(password);
}
