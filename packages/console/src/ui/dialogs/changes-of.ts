export const changesOf = <Draft extends object>(
  stored: Partial<Draft>,
  typed: Partial<Draft>,
): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(typed).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Draft]),
    ),
  ) as Partial<Draft>;
