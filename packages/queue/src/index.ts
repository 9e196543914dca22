export * from './connection';
export * from './consume';
export * from './hints';
export * from './nudges';
