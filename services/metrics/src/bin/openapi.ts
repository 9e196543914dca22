import { openApiDocument } from '../docs/openapi';
import { ROUTES } from '../routes/routes';

process.stdout.write(`${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`);
