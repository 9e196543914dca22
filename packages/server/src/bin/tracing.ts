import { startTracing } from '../tracing/start-tracing';

/** `import '@switchyard/server/tracing'`, as the first import of a process. */
startTracing(process.env, process.argv[1]);
