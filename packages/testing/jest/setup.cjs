delete process.env.NODE_OPTIONS;
delete process.env.TSX_TSCONFIG_PATH;
