export * from './database';
export * from './database-errors';
export * from './migrate';
export * from './new-id';
export * from './pool';
export * from './schema-version';
export * from './transaction';
export type * from './generated/orchestration/models';
