import type { Context } from '../context';
import { openApiDocument } from '../docs/openapi';
import { createMetrics } from '../exposition/metrics';
import { allEndpoints } from '../routes';

/** Prints the document without starting anything: endpoints are only built here, never called. */
const NOTHING = { metrics: createMetrics() } as Context;
process.stdout.write(`${JSON.stringify(openApiDocument(allEndpoints(NOTHING)), null, 2)}\n`);
