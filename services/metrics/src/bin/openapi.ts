import { openApiDocument } from '../docs/openapi';
import { ROUTES } from '../routes/routes';

/** Prints the document without starting anything. */
process.stdout.write(`${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`);
