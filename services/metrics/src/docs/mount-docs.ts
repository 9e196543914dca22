import path from 'node:path';
import type { Application } from 'express';
import type { Endpoint } from '../http/endpoint';
import { openApiDocument } from './openapi';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Metrics service: interface</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="interface"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START =
  "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#interface', validatorUrl: null });\n";
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The document and a page to read it with, from local files only. */
export function mountDocs(app: Application, endpoints: readonly Endpoint[]): void {
  const document = openApiDocument(endpoints);
  const root = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  app.get('/openapi.json', (_request, response) => {
    response.json(document);
  });
  app.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  for (const file of FILES) {
    app.get(`/docs/${file}`, (_request, response) => response.sendFile(file, { root }));
  }
}
