// Programs that tests start must run without the loader of the tests.
delete process.env.NODE_OPTIONS;
delete process.env.TSX_TSCONFIG_PATH;
