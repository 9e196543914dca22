/** Names with at most one `*`; `any` in local mode. */
export type AllowedVariables = readonly string[] | 'any';

/** Requires a letter, because a single `*` would match every name. */
export const VARIABLE_PATTERN = /^(?=.*[A-Za-z])[A-Za-z0-9_]*\*?[A-Za-z0-9_]*$/;

/**
 * Prefixes of variable names by which runtimes, package managers, git and coding agents find code
 * and configuration. A `*` does not match such names: `*_TOKEN` does not match NODE_AUTH_TOKEN.
 * Only a pattern with the same prefix matches.
 */
const STEERING = [
  ...['BASH', 'BUN_', 'BUNDLE_', 'CARGO_', 'CLAUDE_CONFIG_', 'CODEX_HOME', 'COREPACK_', 'DENO_'],
  ...['DOTNET_', 'DYLD_', 'ELECTRON_', 'GEM_', 'GIT_', 'GRADLE_', 'HOME', 'JAVA_', 'JDK_', 'LD_'],
  ...['LUA', 'MAVEN_', 'NODE_', 'NPM_CONFIG_', 'OPENCODE_CONFIG', 'OPENSSL_', 'PATH', 'PERL'],
  ...['PHP', 'PIP_', 'PNPM_', 'PYTHON', 'RUBY', 'RUST', 'SSH_', 'UV_', 'XDG_', 'YARN_', '_JAVA_'],
];

const CAPITALS = /^[A-Z0-9_]+$/;

function isNamedBy(pattern: string, name: string): boolean {
  const at = pattern.indexOf('*');
  if (at < 0) return name === pattern;
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  if (!CAPITALS.test(name.slice(head.length, name.length - tail.length))) return false;
  return !STEERING.some((begin) => name.startsWith(begin) && !head.startsWith(begin));
}

const OURS = /^SERVICE_/;

export function refusedVariables(allowed: AllowedVariables, names: Iterable<string>): string[] {
  if (allowed === 'any') return [];
  return [...names].filter(
    (name) => !OURS.test(name) && !allowed.some((pattern) => isNamedBy(pattern, name)),
  );
}

export const refusalOf = (name: string) =>
  `${name} must not be set, because AGENT_VARIABLES does not allow it`;
