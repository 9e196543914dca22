/**
 * Hides a parameter from the planner. Otherwise the planner would plan every request, because
 * custom plans look cheaper. Do not use it for lists whose best plan depends on the value.
 */
export const unseen = (parameter: string | undefined): string => `(SELECT ${parameter})`;
