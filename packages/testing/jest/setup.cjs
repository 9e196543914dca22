// Programs that tests start run as they were built, without the loader of the tests.
delete process.env.NODE_OPTIONS;
delete process.env.TSX_TSCONFIG_PATH;
