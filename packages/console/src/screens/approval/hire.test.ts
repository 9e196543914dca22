import { commandLine, hireOf, literalsOf, secretsOf } from './hire';

const PROPOSED = {
  adapterType: 'process',
  adapterConfig: { command: 'python3', args: ['/srv/nele.py', 'a b'] },
};
const DRAFT = {
  name: 'Nele',
  role: 'support',
  title: null,
  capabilities: null,
  reportsTo: 'tom',
  adapterType: 'process',
  adapterConfig: {},
  budgetMonthlyCents: 0,
  wakeOnAssignment: true,
};
const payload = { name: 'Nele', role: 'support', proposedAdapter: PROPOSED };

describe('hireOf', () => {
  it('returns the proposed adapter and the draft of a pending hire', () => {
    expect(hireOf({ payload, status: 'pending' }, DRAFT)).toEqual({ ...DRAFT, ...PROPOSED });
  });

  it('returns the adapter that the board has chosen instead of the proposed adapter', () => {
    const settled = { ...DRAFT, adapterType: 'http', adapterConfig: { url: 'https://a.example' } };
    expect(hireOf({ payload, status: 'pending' }, settled as never)).toEqual(settled);
  });

  it('after the decision, returns the hire as it was requested, even if the agent has changed since', () => {
    const later = { ...DRAFT, name: 'Renamed', adapterConfig: { command: 'other' } };
    expect(hireOf({ payload, status: 'approved' }, later)).toMatchObject({
      name: 'Nele',
      ...PROPOSED,
    });
  });

  it('returns a null adapter if no adapter was proposed', () => {
    const asked = { name: 'Nele', role: 'support' };
    expect(hireOf({ payload: asked, status: 'pending' }, DRAFT)).toMatchObject({
      adapterType: null,
      adapterConfig: {},
    });
  });
});

describe('commandLine', () => {
  it.each([
    [{ command: 'python3', args: ['/srv/a.py', '--level=2'] }, 'python3 /srv/a.py --level=2'],
    [{ command: 'sh', args: ['-c', "echo 'a'; rm"] }, "sh -c 'echo '\\''a'\\''; rm'"],
    [{ command: 'x', args: [''] }, "x ''"],
    [{ url: 'https://a.example' }, ''],
  ])('quotes the words of %j for a shell', (config, line) => {
    expect(commandLine(config)).toBe(line);
  });
});

describe('the environment of a hire', () => {
  const env = { KEY: { type: 'secret_ref', secretId: 'one', version: 'latest' }, LANG: 'de' };

  it('contains plain values and the secrets that the agent may read', () => {
    expect(secretsOf(env)).toEqual(['one']);
    expect(literalsOf(env)).toEqual({ LANG: 'de' });
  });

  it('has no secrets and no plain values if it is undefined', () => {
    expect(secretsOf(undefined)).toEqual([]);
    expect(literalsOf(undefined)).toEqual({});
  });
});
