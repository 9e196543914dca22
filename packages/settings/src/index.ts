export * from './resolve-variables';
export * from './secret-settings';
