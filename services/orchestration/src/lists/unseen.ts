/**
 * Hides a parameter from the planner, which would otherwise plan every request because custom plans
 * look cheaper. Not for lists whose best plan depends on the value.
 */
export const unseen = (parameter: string | undefined): string => `(SELECT ${parameter})`;
