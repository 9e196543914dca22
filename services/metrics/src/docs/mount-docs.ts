import { mountDocsFiles, type OpenApiDocument, sendDocsPage } from '@switchyard/server';
import type { Application } from 'express';
import type { Endpoint } from '../http/endpoint';
import { openApiDocument } from './openapi';

const PAGE = {
  title: 'Metrics service: interface',
  path: '/docs',
  documentPath: '/openapi.json',
};

/** The document, made when somebody first asks for it, and a page to read it with. */
export function mountDocs(app: Application, endpoints: readonly Endpoint[]): void {
  let document: OpenApiDocument | undefined;
  app.get(PAGE.documentPath, (_request, response) => {
    document ??= openApiDocument(endpoints);
    response.json(document);
  });
  app.get(PAGE.path, (_request, response) => sendDocsPage(PAGE, response));
  mountDocsFiles(app, PAGE);
}
