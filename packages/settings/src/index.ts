export * from './readable-names';
export * from './resolve-variables';
export * from './secret-settings';
