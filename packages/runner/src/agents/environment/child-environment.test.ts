import { childEnvironment } from './child-environment';

const inherited = { PATH: '/bin', HOME: '/operator', LANG: 'C', DATABASE_URL: 'canary' };

describe('childEnvironment()', () => {
  it('passes only PATH, HOME and LANG of the worker’s environment', () => {
    const { environment } = childEnvironment({ inherited, home: null }, { A: '1', B: undefined });
    expect(environment).toEqual({ PATH: '/bin', HOME: '/operator', LANG: 'C', A: '1' });
    expect(childEnvironment({ inherited: {}, home: null }, {}).environment).toEqual({});
  });

  it('sets HOME to the agent’s home folder, but prefers the agent’s variables to all others', () => {
    const surroundings = { inherited, home: '/homes/ada' };
    const { environment } = childEnvironment(surroundings, { A: '1' });
    expect(environment).toMatchObject({ HOME: '/homes/ada', A: '1' });
    const agent = { variables: { A: '2', HOME: '/other' }, allowed: 'any' as const };
    expect(childEnvironment(surroundings, { A: '1' }, agent)).toMatchObject({
      environment: { HOME: '/other', A: '2' },
    });
  });

  it('returns a refusal if one variable is not allowed', () => {
    const variables = { X_API_KEY: 'k', NODE_OPTIONS: 'canary' };
    const agent = { variables, allowed: ['*_API_KEY'] };
    expect(childEnvironment({ inherited, home: null }, {}, agent)).toEqual({
      refusal: {
        errorCode: 'variable_not_allowed',
        error: 'NODE_OPTIONS must not be set, because AGENT_VARIABLES does not allow it',
      },
    });
  });
});
