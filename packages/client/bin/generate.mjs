// Types from an OpenAPI document: reads the document from standard input, writes TypeScript to standard
// output. `npm run generate-client` runs it for both services.

import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

const HEAD =
  '// Made by `npm run generate-client` from the OpenAPI document; edit nothing here.\n\n';

const document = JSON.parse(await text(process.stdin));
process.stdout.write(HEAD + astToString(await openapiTS(document, { defaultNonNullable: false })));
