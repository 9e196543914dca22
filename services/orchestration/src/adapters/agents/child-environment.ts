/** What a child inherits from the worker; everything else there may be a credential (guarantee G23). */
const INHERITED = ['PATH', 'HOME', 'LANG'];

/** Variables by which an allowed program loads or runs code that nobody allowed: linkers, runtimes, shells, git. */
const LOADS_CODE =
  /^(PATH|IFS|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|(LD|DYLD)_.*|NODE_(OPTIONS|PATH)|PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT)|PERL5?(OPT|LIB|DB)|RUBY(OPT|LIB)|(_?JAVA_|JDK_JAVA_)(TOOL_)?OPTIONS|GCONV_PATH|GIT_(SSH|SSH_COMMAND|EXEC_PATH|EXTERNAL_DIFF|CONFIG.*|ASKPASS|EDITOR|PAGER))$/i;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The complete environment of a child, built from empty; the run's own variables win. */
export function buildChildEnvironment(
  worker: Environment,
  run: Environment,
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const name of INHERITED) if (worker[name] !== undefined) child[name] = worker[name];
  for (const [name, value] of Object.entries(run)) if (value !== undefined) child[name] = value;
  return child;
}

/** The first variable of the run that would void a list of allowed commands, or undefined. */
export function findCodeLoadingVariable(run: Environment): string | undefined {
  return Object.keys(run).find((name) => LOADS_CODE.test(name));
}
