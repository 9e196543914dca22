import { startTracing } from '../tracing/start-tracing';

/** Import it first in a process: `import '@switchyard/server/tracing'`. */
startTracing(process.env, process.argv[1]);
