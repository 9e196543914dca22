/**
 * Readable names of the specification's adapter types. An agent's type is returned as it was sent.
 */
export const ADAPTER_ALIASES = {
  claude_code: 'model_a_local',
  codex: 'model_b_local',
  opencode: 'model_c_local',
} as const;

export function canonicalAdapterType(type: string): string {
  return Object.hasOwn(ADAPTER_ALIASES, type)
    ? ADAPTER_ALIASES[type as keyof typeof ADAPTER_ALIASES]
    : type;
}

export function adapterAliases(type: string): string[] {
  return Object.entries(ADAPTER_ALIASES).flatMap(([alias, of]) => (of === type ? [alias] : []));
}
