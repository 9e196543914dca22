/** Names that an operator would guess, by the name that the schemas and earlier releases have for them. */
export const READABLE_NAMES: Record<string, string> = {
  ORCHESTRATION_PORT: 'API_PORT',
  API_METRICS_PORT: 'API_PROMETHEUS_PORT',
  METRICS_PORT: 'MARKET_METRICS_PORT',
  MODEL_A_COMMAND: 'CLAUDE_CODE_COMMAND',
  MODEL_A_MODELS: 'CLAUDE_CODE_MODELS',
  MODEL_B_COMMAND: 'CODEX_COMMAND',
  MODEL_B_MODELS: 'CODEX_MODELS',
  MODEL_B_DISCOVERY: 'CODEX_DISCOVERY',
  MODEL_C_COMMAND: 'OPENCODE_COMMAND',
  MODEL_C_DISCOVERY: 'OPENCODE_DISCOVERY',
};

/** `names` and the readable ones of them. */
export function withReadableNames(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, READABLE_NAMES[name] ?? []].flat());
}
