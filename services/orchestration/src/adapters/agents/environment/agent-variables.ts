/** Names that the `env` of an agent may use, each with at most one `*`; `any` in local trusted mode. */
export type AllowedVariables = readonly string[] | 'any';

/** With a letter beside the `*`: alone it would stand for PATH and everything else. */
export const VARIABLE_PATTERN = /^(?=.*[A-Za-z])[A-Za-z0-9_]*\*?[A-Za-z0-9_]*$/;

/**
 * How names begin by which runtimes, package managers, git and the coding agents find code and configuration. No `*`
 * stands for them, so `*_TOKEN` is no NODE_AUTH_TOKEN; a pattern that begins like this itself means it.
 */
const STEERING = [
  ...['BASH', 'BUN_', 'BUNDLE_', 'CARGO_', 'CLAUDE_CONFIG_', 'CODEX_HOME', 'COREPACK_', 'DENO_'],
  ...['DOTNET_', 'DYLD_', 'ELECTRON_', 'GEM_', 'GIT_', 'GRADLE_', 'HOME', 'JAVA_', 'JDK_', 'LD_'],
  ...['LUA', 'MAVEN_', 'NODE_', 'NPM_CONFIG_', 'OPENCODE_CONFIG', 'OPENSSL_', 'PATH', 'PERL'],
  ...['PHP', 'PIP_', 'PNPM_', 'PYTHON', 'RUBY', 'RUST', 'SSH_', 'UV_', 'XDG_', 'YARN_', '_JAVA_'],
];

/** A `*` stands for capitals, digits and underscores: no allowed name has a twin in other letters. */
const CAPITALS = /^[A-Z0-9_]+$/;

function isNamedBy(pattern: string, name: string): boolean {
  const at = pattern.indexOf('*');
  if (at < 0) return name === pattern;
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  if (!CAPITALS.test(name.slice(head.length, name.length - tail.length))) return false;
  return !STEERING.some((begin) => name.startsWith(begin) && !head.startsWith(begin));
}

/** What every agent process is given; the schema of `env` keeps these names from agents. */
const OURS = /^SERVICE_/;

/** The names that agents may not give to a process here, in their order. */
export function refusedVariables(allowed: AllowedVariables, names: Iterable<string>): string[] {
  if (allowed === 'any') return [];
  return [...names].filter(
    (name) => !OURS.test(name) && !allowed.some((pattern) => isNamedBy(pattern, name)),
  );
}

export const refusalOf = (name: string) =>
  `${name} may not be set: it is not among AGENT_VARIABLES`;
