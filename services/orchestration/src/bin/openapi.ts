import { apiDocument } from '../openapi/api-document';
import { allRoutes } from '../routes';

process.stdout.write(`${JSON.stringify(apiDocument(allRoutes, false), null, 2)}\n`);
