import { agentVariableEnvironment, agentVariableSettings } from './agent-variable-settings';
import { refusedVariables } from './agent-variables';

const read = (text?: string) =>
  agentVariableSettings({
    AGENT_VARIABLES: agentVariableEnvironment.AGENT_VARIABLES.parse(text),
  });
const mayName = (allowed: readonly string[], name: string) =>
  refusedVariables(allowed, [name]).length === 0;

const STEERING = [
  ...['PATH', 'HOME', 'IFS', 'ENV', 'BASH_ENV', 'SHELLOPTS', 'CDPATH', 'LANG', 'TMPDIR', 'SHELL'],
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'GCONV_PATH'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'NODE_EXTRA_CA_CERTS'],
  ...['NODE_AUTH_TOKEN', 'NPM_CONFIG_X_TOKEN', 'npm_config_node_options', 'npm_config_x_TOKEN'],
  ...['PYTHONPATH', 'PYTHONWARNINGS', 'PYTHONUSERBASE', 'PYTHON_X_TOKEN', 'PIP_X_TOKEN'],
  ...['PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH', 'LUA_INIT'],
  ...['DOTNET_STARTUP_HOOKS', 'OPENSSL_CONF', 'SSL_CERT_FILE', 'XDG_CONFIG_HOME', 'CARGO_X_TOKEN'],
  ...['GIT_PROXY_COMMAND', 'GIT_TEMPLATE_DIR', 'GIT_SEQUENCE_EDITOR', 'GIT_CONFIG_COUNT'],
  ...['GIT_SSH_TOKEN', 'SSH_ASKPASS', 'SSH_AUTH_SOCK', 'PAGER', 'EDITOR', 'BROWSER', 'LESSOPEN'],
  ...['CLAUDE_CONFIG_DIR', 'CLAUDE_CONFIG_TOKEN', 'CODEX_HOME', 'CODEX_HOME_TOKEN'],
  ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_CONFIG_X_API_KEY'],
  ...['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'KUBECONFIG', 'AWS_CONFIG_FILE'],
  ...['OTHER_BASE_URL', 'HTTP_BASE_URL', '_BASE_URL', 'DATABASE_URL', 'agent_x', 'Agent_X'],
  ...[
    'anthropic_api_key',
    'Anthropic_API_KEY',
    'ANTHROPIC_api_key',
    '_TOKEN',
    'TOKEN',
    '__proto__',
  ],
];

describe('AGENT_VARIABLES', () => {
  it.each(STEERING)('rejects %s unless the operator lists it', (name) => {
    const { commands, codingAgents } = read();
    expect(mayName(commands, name)).toBe(false);
    expect(mayName(codingAgents, name)).toBe(false);
    expect(mayName(['*_X', name], name)).toBe(true);
    expect(refusedVariables('any', [name])).toEqual([]);
  });

  it.each([
    ...[
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'CODEX_API_KEY',
      'OPENCODE_API_KEY',
      'MY_2ND_API_KEY',
    ],
    ...['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN', 'NPM_TOKEN'],
    ...['AGENT_MOOD', 'AGENT_1', 'SERVICE_RUN_ID', 'SERVICE_API_KEY'],
  ])('allows %s by default', (name) => {
    expect(mayName(read().commands, name)).toBe(true);
    expect(mayName(read().codingAgents, name)).toBe(true);
  });

  it('allows provider addresses for coding agents, but not for process agents', () => {
    for (const name of ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT']) {
      expect(mayName(read().codingAgents, name)).toBe(true);
      expect(mayName(read().commands, name)).toBe(false);
    }
  });

  it('replaces the defaults for all agents if the operator sets it', () => {
    const { commands, codingAgents } = read('LOG_LEVEL, GIT_AUTHOR_*, *_KEY, NODE_AUTH_TOKEN');
    expect(codingAgents).toEqual(commands);
    const names = ['LOG_LEVEL', 'GIT_AUTHOR_NAME', 'A_KEY', 'NODE_AUTH_TOKEN'];
    expect(refusedVariables(commands, names)).toEqual([]);
    const others = ['GIT_SSH', 'NODE_KEY', 'A_TOKEN', 'LOG_LEVELS', 'log_level', 'GIT_AUTHOR_x'];
    expect(refusedVariables(commands, others)).toEqual(others);
    expect(refusedVariables(read(',').commands, ['A_API_KEY'])).toEqual(['A_API_KEY']);
  });

  it.each(['*', '**', '*_*_KEY', 'A-B', 'A B', 'A=B', '_*', '9*'])(
    'rejects the pattern %s',
    (text) => {
      expect(() => read(text)).toThrow('at most one *');
    },
  );
});
