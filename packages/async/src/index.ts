export * from './cache-for';
export * from './clock';
export * from './repeat';
export * from './signal';
export * from './until-aborted';
export * from './with-timeout';
