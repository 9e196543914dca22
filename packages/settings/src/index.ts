export * from './parse-settings';
export * from './read-text-file';
export * from './resolve-variables';
export * from './secret-settings';
