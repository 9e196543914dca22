import { document, operationsOf } from './operations';

/** The names of all query parameters that the interface has. */
export const queryNames = (): string[] => [
  ...new Set(operationsOf(document()).flatMap(({ queries }) => Object.keys(queries))),
];
