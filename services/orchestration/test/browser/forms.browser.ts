import type { Locator, Page } from 'playwright-core';
import { useCompanyPages } from './company-pages';
import { settled } from './settled';
import { useConsole } from './use-console';

interface Form {
  at: string;
  open?: (page: Page) => Promise<unknown>;
  others?: (form: Locator) => Promise<unknown>;
  field: (form: Locator) => Locator;
  text?: string;
  submit: string | RegExp;
  /**
   * True if the form has its own address. Opening it is then a navigation, after which the browser
   * cannot go forward.
   */
  hasAddress?: boolean;
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();
const field = (name: string | RegExp) => (form: Locator) =>
  form.getByRole('textbox', { name }).first();

const FORMS: Record<string, Form> = {
  'new goal': { at: '/goals', open: button('New goal'), field: field('Title'), submit: 'Create' },
  goal: { at: '/goals/:goalId', open: button('Edit'), field: field('Title'), submit: 'Save' },
  'new project': {
    at: '/projects',
    open: button('New project'),
    field: field('Name'),
    submit: 'Create',
  },
  project: {
    at: '/projects/:projectId',
    open: button('Edit'),
    field: field('Name'),
    submit: 'Save',
  },
  'new workspace': {
    at: '/projects/:projectId',
    open: button('New workspace'),
    field: field('Repository'),
    submit: 'Create',
  },
  'new routine': {
    at: '/routines',
    open: button('New routine'),
    others: async (form) => {
      await form.getByLabel('Agent').selectOption({ index: 1 });
      await form.getByLabel('Project').selectOption({ index: 1 });
    },
    field: field('Title'),
    submit: 'Create',
  },
  routine: {
    at: '/routines/:routineId',
    open: button('Edit'),
    field: field('Title'),
    submit: 'Save',
  },
  'new trigger': {
    at: '/routines/:routineId',
    open: button('New trigger'),
    field: field(/^Label/),
    submit: 'Create',
  },
  'new webhook': {
    at: '/settings/webhooks',
    open: button('New webhook'),
    others: (form) => form.getByLabel('Address').fill(HIDDEN),
    field: field('Description'),
    submit: 'Create',
  },
  'new runner': {
    at: '/settings/runners',
    open: button('New runner'),
    field: field('Name'),
    submit: 'Create',
  },
  'new secret': {
    at: '/secrets',
    open: button('New secret'),
    others: (form) => form.getByLabel('Value').fill(HIDDEN),
    field: field('Name'),
    submit: 'Create',
  },
  'new agent': {
    at: '/agents',
    open: async (page) => {
      await button('New agent')(page);
      const name = page.getByLabel('Name');
      if ((await name.inputValue()) === '') await name.fill('Typed');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('radio', { name: /^Command/ }).check();
    },
    field: field('Command'),
    submit: 'Create agent',
  },
  'agent configuration': {
    at: '/agents/:agentId?tab=configuration',
    field: field(/^Title/),
    submit: 'Save changes',
  },
  'message to an agent': {
    at: '/agents/:agentId',
    open: button('Message'),
    field: field(/^What should/),
    submit: 'Run now',
  },
  'new API key': {
    at: '/agents/:agentId?tab=keys',
    open: button('New key'),
    field: field('Key name'),
    submit: 'Create',
  },
  company: { at: '/settings', field: field('Name'), submit: 'Save' },
  'new issue': {
    at: '/issues',
    open: (page) => page.keyboard.press('c'),
    field: field('Title'),
    submit: /^Create issue/,
  },
  comment: { at: '/issues/:issue', field: field('Comment'), submit: /^Send/ },
  'new document': {
    at: '/issues/:issue',
    open: (page) => page.getByRole('link', { name: 'New document' }).click(),
    others: (form) => form.getByLabel('Text').fill('a text'),
    hasAddress: true,
    field: field('Title'),
    submit: 'Create',
  },
};

const HIDDEN = 'https://hooks.example/a-value-that-is-never-kept';

describe('a form', () => {
  const console = useConsole();
  const at = useCompanyPages(console);

  it.each(Object.entries(FORMS))(
    'keeps its input after a 400, a 500, another page and a reload: %s',
    async (name, { open, others, field, text = `Typed into ${name}`, submit, ...form }) => {
      const { page, requests } = await console.open(at(form.at), { expects: /500|ERR_/ });
      const shown = () => {
        const dialog = page.getByRole('dialog');
        return open ? dialog : page.getByRole('main');
      };
      await settled(page);
      await page.getByRole('link', { name: 'Costs', exact: true }).click();
      const costs = page.getByRole('heading', { level: 1, name: 'Costs' });
      await costs.waitFor();
      await page.goBack();
      await costs.waitFor({ state: 'detached' });
      await settled(page);
      await open?.(page);
      await field(shown()).fill(text);
      await others?.(shown());
      let status = 400;
      await page.route('**/api/**', (route) => {
        if (route.request().method() === 'GET' || /preview/.test(route.request().url())) {
          return route.fallback();
        }
        const body = { error: `refused with ${status}`, code: 'validation_error', requestId: 'x' };
        return route.fulfill({ status, json: body });
      });
      for (status of [400, 500]) {
        await shown().getByRole('button', { name: submit }).last().click();
        await page.getByText(`refused with ${status}`).first().waitFor();
        expect(await field(shown()).inputValue()).toBe(text);
      }
      await page.unroute('**/api/**');
      requests.length = 0;
      const question = page.getByText('Discard your input?');
      if (!form.hasAddress) {
        await page.evaluate('history.forward()');
        await question.or(costs).first().waitFor();
      }
      if (await question.isVisible()) {
        await page.getByRole('button', { name: 'Keep editing' }).click();
        expect(await field(shown()).inputValue()).toBe(text);
      }
      expect(requests.filter((each) => !/^GET |\/preview$/.test(each))).toEqual([]);
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(HIDDEN);
      await page.goto(at(form.at));
      await settled(page);
      await open?.(page);
      await expectValue(field(shown()), text);
    },
  );
});

async function expectValue(input: Locator, text: string): Promise<void> {
  await input.waitFor();
  expect(await input.inputValue()).toBe(text);
}
