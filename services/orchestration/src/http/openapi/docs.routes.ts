import { type OpenApiDocument, sendDocsPage } from '@switchyard/server';
import { z } from 'zod';
import { signInOf } from '../../access/sign-in/sign-in';
import { type OrchestrationRoute, route } from '../../route';
import { apiDocument } from './api-document';

export const DOCS_PAGE = {
  title: 'Switchyard: interface',
  path: '/api/docs',
  documentPath: '/api/openapi.json',
};

export function docsRoutes(allRoutes: () => readonly OrchestrationRoute[]): OrchestrationRoute[] {
  const documents = new Map<boolean, OpenApiDocument>();
  return [
    route({
      method: 'GET',
      path: DOCS_PAGE.documentPath,
      operation: 'getOpenApiDocument',
      summary: 'Read this document',
      access: 'public',
      response: z.looseObject({ openapi: z.string() }) as unknown as z.ZodType<OpenApiDocument>,
      handle: (call) => {
        const isLocal = signInOf(call.context) === null;
        const made = documents.get(isLocal) ?? apiDocument(allRoutes(), isLocal);
        documents.set(isLocal, made);
        return made;
      },
    }),
    route({
      method: 'GET',
      path: DOCS_PAGE.path,
      operation: 'getDocsPage',
      summary: 'Show this document as a page',
      access: 'public',
      streams: 'text/html',
      handle: ({ response }) => sendDocsPage(DOCS_PAGE, response),
    }),
  ];
}
