import { startTracing } from '../tracing/start-tracing';

/** Import this once per process: `import '@switchyard/server/tracing'`. */
startTracing(process.env, process.argv[1]);
