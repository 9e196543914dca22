import { type AllowedVariables, refusalOf, refusedVariables } from './agent-variables';

const INHERITED = ['PATH', 'HOME', 'LANG'];

export type Environment = Readonly<Record<string, string | undefined>>;

declare const BUILT: unique symbol;
/** The brand ensures that only `childEnvironment` creates an environment. */
export type ChildEnvironment = Readonly<Record<string, string>> & { readonly [BUILT]: true };

export interface Surroundings {
  inherited: Environment;
  home: string | null;
}

export interface VariableRefusal {
  refusal: { errorCode: 'variable_not_allowed'; error: string };
}

interface Built {
  environment: ChildEnvironment;
}

/**
 * Merges three sets of variables: inherited ones, the server's (`own`) and the agent's. Later sets
 * override earlier ones. Rejects variables that the operator does not allow.
 */
export function childEnvironment(surroundings: Surroundings, own: Environment): Built;
export function childEnvironment(
  surroundings: Surroundings,
  own: Environment,
  agent: { variables: Environment; allowed: AllowedVariables },
): Built | VariableRefusal;
export function childEnvironment(
  { inherited, home }: Surroundings,
  own: Environment,
  agent: { variables: Environment; allowed: AllowedVariables } = { variables: {}, allowed: [] },
): Built | VariableRefusal {
  const [refused] = refusedVariables(agent.allowed, Object.keys(agent.variables));
  if (refused !== undefined) {
    return { refusal: { errorCode: 'variable_not_allowed', error: refusalOf(refused) } };
  }
  const inheritedVariables = Object.fromEntries(INHERITED.map((name) => [name, inherited[name]]));
  const all = {
    ...inheritedVariables,
    ...(home !== null && { HOME: home }),
    ...own,
    ...agent.variables,
  };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return { environment: Object.fromEntries(present) as ChildEnvironment };
}
