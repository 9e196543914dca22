interface CodingAgent {
  /** The variable that the tool reads its key from; null if that depends on the chosen provider. */
  keyName: string | null;
  install: string;
}

export const CODING_AGENTS: Readonly<Record<string, CodingAgent>> = {
  model_a_local: {
    keyName: 'ANTHROPIC_API_KEY',
    install: 'npm i -g @anthropic-ai/claude-code',
  },
  model_b_local: { keyName: 'OPENAI_API_KEY', install: 'npm i -g @openai/codex' },
  model_c_local: { keyName: null, install: 'npm i -g opencode-ai' },
};
