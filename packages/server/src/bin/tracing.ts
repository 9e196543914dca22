import { startTracing } from '../tracing/start-tracing';

/** Must be the first import of a process: `import '@switchyard/server/tracing'`. */
startTracing(process.env, process.argv[1]);
