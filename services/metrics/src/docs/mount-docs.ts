import { mountDocsFiles, type OpenApiDocument, sendDocsPage } from '@switchyard/server';
import type { Application } from 'express';
import type { MetricsRoute } from '../routes/route';
import { openApiDocument } from './openapi';

const PAGE = {
  title: 'Metrics service API',
  path: '/docs',
  documentPath: '/openapi.json',
};

export function mountDocs(app: Application, routes: readonly MetricsRoute[]): void {
  let document: OpenApiDocument | undefined;
  app.get(PAGE.documentPath, (_request, response) => {
    document ??= openApiDocument(routes);
    response.json(document);
  });
  app.get(PAGE.path, (_request, response) => sendDocsPage(PAGE, response));
  mountDocsFiles(app, PAGE);
}
