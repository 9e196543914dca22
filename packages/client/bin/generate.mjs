import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '// Made by the build from the OpenAPI document of the service.\n\n';

const document = JSON.parse(await text(process.stdin));
process.stdout.write(HEAD + astToString(await openapiTS(document, { defaultNonNullable: false })));
