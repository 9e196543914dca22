import type { Effects } from '../context';
import { apiDocument } from '../openapi/api-document';
import { allRoutes } from '../routes';

/** Prints the document without starting anything: a route table is only built here, never called. */
const NOTHING = { signIn: null } as Effects;
process.stdout.write(`${JSON.stringify(apiDocument(allRoutes(NOTHING), false), null, 2)}\n`);
