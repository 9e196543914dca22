import type { Context } from '../context';
import { openApiDocument } from '../docs/openapi';
import { allEndpoints } from '../routes/routes';

/** Prints the document without starting anything: endpoints are only built here, never called. */
process.stdout.write(`${JSON.stringify(openApiDocument(allEndpoints({} as Context)), null, 2)}\n`);
