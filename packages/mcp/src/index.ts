export * from './call-route';
export * from './mount-mcp';
export * from './tool';
