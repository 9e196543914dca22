import { apiDocument } from '../openapi/api-document';
import { allRoutes } from '../routes';

/** Prints the document without starting anything. */
process.stdout.write(`${JSON.stringify(apiDocument(allRoutes, false), null, 2)}\n`);
