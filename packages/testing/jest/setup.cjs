// Programs that tests start must not use the test loader.
delete process.env.NODE_OPTIONS;
delete process.env.TSX_TSCONFIG_PATH;
