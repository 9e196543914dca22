export * from './call-route';
export * from './mount-mcp';
export * from './texts';
export * from './tool';
