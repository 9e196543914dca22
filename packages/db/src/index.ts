export * from './database';
export * from './database-errors';
export type * from './generated/orchestration/models';
export * from './metrics-database';
export * from './migrate';
export * from './new-id';
export * from './pool';
export * from './schema-version';
export * from './transaction';
