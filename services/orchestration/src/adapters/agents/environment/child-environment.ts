import { type AllowedVariables, refusalOf, refusedVariables } from './agent-variables';

/** What a child inherits from the process that starts it; everything else there may be a credential. */
const INHERITED = ['PATH', 'HOME', 'LANG'];

export type Environment = Readonly<Record<string, string | undefined>>;

declare const BUILT: unique symbol;
/** Complete. Nothing but `childEnvironment` makes one, and no child is started with anything else. */
export type ChildEnvironment = Readonly<Record<string, string>> & { readonly [BUILT]: true };

export interface Surroundings {
  /** Of the process that starts the child. */
  inherited: Environment;
  /** In place of the inherited one; null keeps that, for the sign-ins that lie in it. */
  home: string | null;
}

export interface VariableRefusal {
  refusal: { errorCode: 'variable_not_allowed'; error: string };
}

interface Built {
  environment: ChildEnvironment;
}

/**
 * The environment of a child, built from empty: what it inherits, what we set (`own`), and what an agent sets, which
 * wins and is refused where the operator does not allow it.
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
  const kept = Object.fromEntries(INHERITED.map((name) => [name, inherited[name]]));
  const all = { ...kept, ...(home !== null && { HOME: home }), ...own, ...agent.variables };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return { environment: Object.fromEntries(present) as ChildEnvironment };
}
