export * from './clone-database';
export * from './generate-client';
export * from './lint-document';
export * from './prometheus';
export * from './test-server';
export * from './times-longer';
export * from './until';
export * from './watch-answers';
