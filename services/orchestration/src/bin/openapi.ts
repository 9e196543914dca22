import { apiDocument } from '../http/openapi/api-document';
import { allRoutes } from '../http/routes';

process.stdout.write(`${JSON.stringify(apiDocument(allRoutes, false), null, 2)}\n`);
