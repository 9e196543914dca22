export * from './clone-database';
export * from './test-server';
export * from './until';
