// Programs that tests start must not use the tests' loader.
delete process.env.NODE_OPTIONS;
delete process.env.TSX_TSCONFIG_PATH;
