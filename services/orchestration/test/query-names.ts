import { document, operationsOf } from './operations';

export const queryNames = (): string[] => [
  ...new Set(operationsOf(document()).flatMap(({ queries }) => Object.keys(queries))),
];
