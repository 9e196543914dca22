export * from './connection';
export * from './consume';
export * from './hints';
export * from './nudges';
export * from './server-version';
